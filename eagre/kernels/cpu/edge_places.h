// Where the elements of a border come from that repeats the tensor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <eagre/base/small_vector.h>
#include <eagre/kernels/cpu/padded_walk.h>

namespace eagre::kernels::cpu {

// For every place of a padded dimension that of the element it shows.
inline void edge_places(std::string_view mode, int64_t size, int64_t padded, int64_t before,
                        int64_t* place) {
  const bool reflects = mode == "reflect";
  const int64_t last = std::max<int64_t>(size, 1) - 1;
  for (int64_t i = 0; i < padded; ++i) {
    int64_t at = i - before;
    if (reflects) at = at < 0 ? -at : at < size ? at : 2 * last - at;
    place[i] = std::clamp<int64_t>(at, 0, last);
  }
  if (mode != "circular") return;
  // What was taken away on one side does not come back on the other.
  const int64_t lead = std::max<int64_t>(0, before);
  const int64_t tail = std::max<int64_t>(0, padded - size - before);
  for (int64_t i = 0; i < lead; ++i) place[i] = place[padded - lead - tail + i];
  for (int64_t i = 0; i < tail; ++i) place[padded - tail + i] = place[lead + i];
}

// Rows of the last dimension with a border, and which row of the plain tensor each shows.
class EdgeWalk {
 public:
  EdgeWalk(const TensorView& plain, const TensorView& with_border, Dims pad, std::string_view mode)
      : walk(plain, with_border, pad) {
    size_t count = 0;
    for (size_t d = has_free(); d <= walk.last(); ++d) {
      starts_[d] = count;
      count += static_cast<size_t>(walk.padded[d]);
    }
    places_.resize_for_overwrite(count);
    for (size_t d = has_free(); d <= walk.last(); ++d) {
      edge_places(mode, walk.sizes[d], walk.padded[d], walk.before[d], places_.data() + starts_[d]);
    }
  }

  int64_t place(size_t d, int64_t i) const {
    if (d == 0 && has_free()) return i;
    return places_[starts_[d] + static_cast<size_t>(i)];
  }
  const int64_t* columns() const { return places_.data() + starts_[walk.last()]; }
  // Rows that share no element with others: the outermost dimension, if it has no border.
  int64_t independent() const { return has_free() ? walk.padded[0] : 1; }

  PaddedWalk walk;

 private:
  bool has_free() const {
    return walk.last() > 0 && walk.sizes[0] == walk.padded[0] && walk.before[0] == 0;
  }

  // Of all dimensions but a free one, one after the other.
  SmallVector<int64_t, 128> places_;
  std::array<size_t, 8> starts_ = {};  // three dimensions have borders, perhaps with others between
};

}  // namespace eagre::kernels::cpu
