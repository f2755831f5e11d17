// Walking through several tensors of one shape, element by element: for kernels whose cost is not
// in the walk.
#pragma once

#include <array>

#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu {

// f(places) for every element in row-major order; places[k] is the offset by strides[k]. The sizes
// are not empty of elements.
template <size_t kCount, class F>
void for_each_place(Dims sizes, const std::array<Dims, kCount>& strides, F&& f) {
  std::array<int64_t, kCount> at = {};
  const size_t rank = sizes.size();
  if (rank == 0) return f(at);
  int64_t index[kMaxDims] = {};
  const size_t last = rank - 1;
  while (true) {
    for (int64_t i = 0; i < sizes[last]; ++i) {
      f(at);
      for (size_t k = 0; k < kCount; ++k) at[k] += strides[k][last];
    }
    for (size_t k = 0; k < kCount; ++k) at[k] -= strides[k][last] * sizes[last];
    size_t d = last;
    while (d > 0) {
      --d;
      if (++index[d] < sizes[d]) {
        for (size_t k = 0; k < kCount; ++k) at[k] += strides[k][d];
        break;
      }
      index[d] = 0;
      for (size_t k = 0; k < kCount; ++k) at[k] -= strides[k][d] * (sizes[d] - 1);
      if (d == 0) return;
    }
    if (last == 0) return;
  }
}

}  // namespace eagre::kernels::cpu
