// bag_numbers: the bag that each index of a table is in.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void bag_numbers(const TensorView& out, const TensorView& index, const TensorView& offset) {
  const T* starts = offset.as<const T>();
  T* result = out.as<T>();
  const int64_t bags = offset.numel - 1;
  int64_t place = 0;
  for (int64_t bag = 0; bag < bags; ++bag) {
    const int64_t end = std::clamp<int64_t>(starts[bag + 1], place, index.numel);
    std::fill(result + place, result + end, bag);
    place = end;
  }
  std::fill(result + place, result + index.numel, -1);
}

}  // namespace eagre::kernels::cpu::typed
