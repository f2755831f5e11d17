// acosh: the inverse of cosh; NaN below 1.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T acosh(T input) {
  return std::acosh(input);
}

template <class T>
EAGRE_SCALAR Complex<T> acosh(Complex<T> input) {
  return narrow<T>(__builtin_cacosh(widen(input)));
}

}  // namespace eagre::scalar
