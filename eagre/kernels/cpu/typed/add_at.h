// add_at: elements added to others by their number in row-major order.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void add_at(const TensorView& input, const TensorView& index, const TensorView& source) {
  check_from_either_end("add_at", "index", index, input.numel, -1);
  const T* values = source.as<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = input.as<T>();
  for (int64_t i = 0; i < index.numel; ++i) target[wrapped(chosen[i], input.numel)] += values[i];
}

}  // namespace eagre::kernels::cpu::typed
