// Which elements a resampled one is made of, and their weights, for every place along a dimension.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <eagre/base/export.h>

namespace eagre::kernels::cpu {

// Tap k of place o is at k * size + o; all places have `count`, some with weight 0. Kernels of
// every instruction set share the code, so none of it is inline.
template <class T>
struct ResampleTaps {
  int64_t size, count = 1;
  std::vector<int32_t> places;
  std::vector<T> weights;

  ResampleTaps(int64_t in, int64_t out, std::string_view mode, bool align_corners, bool antialias,
               double given_scale);
  ResampleTaps(const ResampleTaps&) = delete;
  ResampleTaps& operator=(const ResampleTaps&) = delete;
  ~ResampleTaps();

 private:
  void reserve(int64_t taps);
  void set(int64_t tap, int64_t o, int64_t place, T weight);
  int64_t whole(T place) const;
  int64_t nearest(int64_t o, T half) const;
  T source(int64_t o) const;
  void linear();
  void cubic();
  void smooth(std::string_view mode);

  int64_t in_;
  bool align_corners_;
  T scale_;
};

extern template struct EAGRE_API ResampleTaps<float>;
extern template struct EAGRE_API ResampleTaps<double>;

}  // namespace eagre::kernels::cpu
