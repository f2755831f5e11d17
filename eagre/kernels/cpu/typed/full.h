// full: a contiguous tensor with one value.
#pragma once

#include <algorithm>

#include <eagre/base/thread_pool.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void full(const TensorView& out, const Scalar& value) {
  constexpr int64_t kGrain = 1 << 17;
  T* data = out.as<T>();
  const T number = value.to<T>();
  parallel_for(0, out.numel, kGrain,
               [=](int64_t begin, int64_t end) { std::fill(data + begin, data + end, number); });
}

}  // namespace eagre::kernels::cpu::typed
