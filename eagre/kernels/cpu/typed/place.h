// place: zeros with the input at regular places.
#pragma once

#include <algorithm>

#include <eagre/kernels/cpu/odometer.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void place(const TensorView& out, const TensorView& input, Dims start, Dims step) {
  T* target = out.as<T>();
  std::fill_n(target, out.numel, T{});
  if (input.numel == 0) return;
  DimVector strides(out.strides);
  for (size_t i = 0; i < strides.size(); ++i) {
    target += start[i] * strides[i];
    strides[i] *= step[i];
  }
  const T* source = input.as<T>();
  for_each_place<2>(input.sizes, {input.strides, Dims(strides)},
                    [&](const std::array<int64_t, 2>& at) { target[at[1]] = source[at[0]]; });
}

}  // namespace eagre::kernels::cpu::typed
