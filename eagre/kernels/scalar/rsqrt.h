// rsqrt: 1 / sqrt(input).
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>
#include <eagre/kernels/scalar/sqrt.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T rsqrt(T input) {
  return 1 / std::sqrt(input);
}

template <class T>
EAGRE_SCALAR Complex<T> rsqrt(Complex<T> input) {
  return Complex<T>(1) / sqrt(input);
}

}  // namespace eagre::scalar
