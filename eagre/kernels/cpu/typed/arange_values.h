// arange: numbers at a fixed distance.
#pragma once

#include <type_traits>

#include <eagre/base/thread_pool.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void arange_values(const TensorView& out, const Scalar& start, const Scalar& step) {
  using Wide = std::conditional_t<std::is_floating_point_v<T>, double, int64_t>;
  const Wide first = start.wrapped<Wide>(), distance = step.wrapped<Wide>();
  T* data = out.as<T>();
  parallel_for(0, out.numel, 32768, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      data[i] = static_cast<T>(first + static_cast<Wide>(i) * distance);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
