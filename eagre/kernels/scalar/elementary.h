// sqrt: the square root, which the hardware rounds correctly.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_parts.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T sqrt(T input) {
  return std::sqrt(input);
}

template <class T>
EAGRE_SCALAR Complex<T> sqrt(Complex<T> input) {
  return narrow<T>(__builtin_csqrt(widen(input)));
}

}  // namespace eagre::scalar
