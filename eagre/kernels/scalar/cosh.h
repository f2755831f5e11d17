// cosh: (e^x + e^-x) / 2.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_parts.h>
#include <eagre/kernels/scalar/hyperbolic_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T cosh(T input) {
  const T half = half_exp(std::fabs(input));
  return half + T(0.25) / half;
}

template <class T>
EAGRE_SCALAR Complex<T> cosh(Complex<T> input) {
  return narrow<T>(__builtin_ccosh(widen(input)));
}

}  // namespace eagre::scalar
