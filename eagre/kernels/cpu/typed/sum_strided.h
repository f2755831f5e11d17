// sum_strided: every element of the input added to the place that some strides name.
#pragma once

#include <algorithm>

#include <eagre/kernels/cpu/odometer.h>

namespace eagre::kernels::cpu::typed {

// What falls beyond the output belongs to nobody.
template <class T>
void sum_strided(const TensorView& out, const TensorView& input, Dims stride, int64_t offset) {
  T* target = out.as<T>();
  std::fill_n(target, out.numel, T{});
  if (input.numel == 0) return;
  const T* source = input.as<T>();
  for_each_place<2>(input.sizes, {input.strides, stride}, [&](const std::array<int64_t, 2>& at) {
    const int64_t to = at[1] + offset;
    if (to < out.numel) target[to] = static_cast<T>(target[to] + source[at[0]]);
  });
}

}  // namespace eagre::kernels::cpu::typed
