// asinh: the inverse of sinh.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T asinh(T input) {
  return std::asinh(input);
}

template <class T>
EAGRE_SCALAR Complex<T> asinh(Complex<T> input) {
  return narrow<T>(__builtin_casinh(widen(input)));
}

}  // namespace eagre::scalar
