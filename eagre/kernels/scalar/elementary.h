// sqrt, rsqrt, hypot and similar, of one element.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>

namespace eagre::scalar {

// sqrt: the square root, which the hardware rounds correctly.
template <class T>
EAGRE_SCALAR T sqrt(T input) {
  return std::sqrt(input);
}

template <class T>
EAGRE_SCALAR Complex<T> sqrt(Complex<T> input) {
  return narrow<T>(wide_sqrt(widen(input)));
}

// rsqrt: 1 / sqrt(input).
template <class T>
EAGRE_SCALAR T rsqrt(T input) {
  return 1 / std::sqrt(input);
}

template <class T>
EAGRE_SCALAR Complex<T> rsqrt(Complex<T> input) {
  return Complex<T>(1) / sqrt(input);
}

// hypot: the length of the hypotenuse, without overflow on the way.
template <class T>
EAGRE_SCALAR T hypot(T input, T other) {
  return std::hypot(input, other);
}

// frexp_mantissa: the number between 0.5 and 1 that times a power of two is the input.
template <class T>
EAGRE_SCALAR T frexp_mantissa(T input) {
  int exponent = 0;
  return std::frexp(input, &exponent);
}

// frexp_exponent: that power. That of numbers that are not finite is 0.
template <class T>
EAGRE_SCALAR T frexp_exponent(T input) {
  int exponent = 0;
  if (!std::isfinite(input)) return T(0);
  static_cast<void>(std::frexp(input, &exponent));
  return static_cast<T>(exponent);
}

}  // namespace eagre::scalar
