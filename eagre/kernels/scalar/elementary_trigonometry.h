// atanh: the inverse of tanh; NaN beyond -1 and 1.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T atanh(T input) {
  return std::atanh(input);
}

template <class T>
EAGRE_SCALAR Complex<T> atanh(Complex<T> input) {
  return narrow<T>(__builtin_catanh(widen(input)));
}

}  // namespace eagre::scalar
