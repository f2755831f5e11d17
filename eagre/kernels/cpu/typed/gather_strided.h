// gather_strided: a copy of what some strides show of row-major memory.
#pragma once

#include <eagre/kernels/cpu/odometer.h>

namespace eagre::kernels::cpu::typed {

// Places beyond the input are not its own and count as zero.
template <class T>
void gather_strided(const TensorView& out, const TensorView& input, Dims stride, int64_t offset) {
  if (out.numel == 0) return;
  const T* source = input.as<T>();
  T* target = out.as<T>();
  for_each_place<2>(out.sizes, {out.strides, stride}, [&](const std::array<int64_t, 2>& at) {
    const int64_t from = at[1] + offset;
    target[at[0]] = from < input.numel ? source[from] : T{};
  });
}

}  // namespace eagre::kernels::cpu::typed
