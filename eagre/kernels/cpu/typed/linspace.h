// linspace: numbers at equal distances, exact at both ends.
#pragma once

#include <eagre/base/thread_pool.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

// f(number) for each; from the nearer end, so that both are exact and the middle symmetric.
template <class T, class F>
void at_equal_distances(const TensorView& out, double start, double end, const F& f) {
  T* data = out.as<T>();
  const int64_t count = out.numel, half = count / 2;
  const double step = count > 1 ? (end - start) / static_cast<double>(count - 1) : 0;
  parallel_for(0, count, 32768, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) {
      const double number = i < half || count == 1
                                ? start + step * static_cast<double>(i)
                                : end - step * static_cast<double>(count - 1 - i);
      data[i] = static_cast<T>(f(number));
    }
  });
}

template <class T>
void linspace(const TensorView& out, const Scalar& start, const Scalar& end) {
  at_equal_distances<T>(out, start.wrapped<double>(), end.wrapped<double>(),
                        [](double x) { return x; });
}

}  // namespace eagre::kernels::cpu::typed
