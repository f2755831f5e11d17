// full: a contiguous tensor with one value.
#pragma once

#include <eagre/kernels/cpu/typed/fill.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void full(const TensorView& out, const Scalar& value) {
  constexpr int64_t kGrain = 1 << 17;
  T* data = out.as<T>();
  const T number = value.wrapped<T>();
  parallel_for(0, out.numel, kGrain,
               [=](int64_t begin, int64_t end) { fill_line(data + begin, end - begin, number); });
}

}  // namespace eagre::kernels::cpu::typed
