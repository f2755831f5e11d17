// linspace: numbers at equal distances, exact at both ends.
#pragma once

#include <type_traits>

#include <eagre/base/thread_pool.h>
#include <eagre/core/complex.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

// What numbers for elements of type T are computed in.
template <class T>
using LineNumber = std::conditional_t<kIsComplex<T>, Complex<double>, double>;

// f(number) for each; from the nearer end, so that both are exact and the middle symmetric.
template <class T, class F>
void at_equal_distances(const TensorView& out, const Scalar& first, const Scalar& last,
                        const F& f) {
  using Number = LineNumber<T>;
  const auto start = first.wrapped<Number>(), end = last.wrapped<Number>();
  T* data = out.as<T>();
  const int64_t count = out.numel, half = count / 2;
  const Number step = count > 1 ? (end - start) / Number(static_cast<double>(count - 1)) : Number();
  parallel_for(0, count, 32768, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) {
      const Number number = i < half || count == 1
                                ? start + step * Number(static_cast<double>(i))
                                : end - step * Number(static_cast<double>(count - 1 - i));
      data[i] = static_cast<T>(f(number));
    }
  });
}

template <class T>
void linspace(const TensorView& out, const Scalar& start, const Scalar& end) {
  at_equal_distances<T>(out, start, end, [](LineNumber<T> x) { return x; });
}

}  // namespace eagre::kernels::cpu::typed
