// atan: the angle whose tangent is given.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/atan_parts.h>
#include <eagre/kernels/scalar/complex_parts.h>
#include <eagre/kernels/scalar/pi.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T atan(T input) {
  using Half = HalfPi<T>;
  const T size = std::fabs(input);
  const bool steep = size > 1;
  const T t = (steep ? T(1) : size) / (steep ? size : T(1));
  const T tail = atan_tail(t);
  return std::copysign(steep ? (Half::kHigh - t) - (tail - Half::kLow) : t + tail, input);
}

template <class T>
EAGRE_SCALAR Complex<T> atan(Complex<T> input) {
  return narrow<T>(__builtin_catan(widen(input)));
}

}  // namespace eagre::scalar
