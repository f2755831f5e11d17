// Functions of analysis that are short here, as the C library computes them.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/complex_parts.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// erfc: 1 - erf(x), exact also where that is small.
template <class T>
EAGRE_SCALAR T erfc(T input) {
  return std::erfc(input);
}

// lgamma: the logarithm of the size of the gamma function.
//
// lgamma() itself writes the sign to a variable that all threads share.
EAGRE_SCALAR float lgamma(float input) {
  int sign = 0;
  return ::lgammaf_r(input, &sign);
}
EAGRE_SCALAR double lgamma(double input) {
  int sign = 0;
  return ::lgamma_r(input, &sign);
}

// i0: the modified Bessel function of the first kind of order 0.
template <class T>
EAGRE_SCALAR T i0(T input) {
  const double x = std::fabs(static_cast<double>(input));
  if (x != x) return input;
  // Beyond this it overflows, and the library would search in vain for where its series ends.
  const double size = x > 714 ? std::numeric_limits<double>::infinity() : std::cyl_bessel_i(0.0, x);
  return static_cast<T>(size);
}

// i1: the modified Bessel function of the first kind of order 1.
template <class T>
EAGRE_SCALAR T i1(T input) {
  const double x = std::fabs(static_cast<double>(input));
  if (x != x) return input;
  // Beyond this it overflows, and the library would search in vain for where its series ends.
  const double size = x > 714 ? std::numeric_limits<double>::infinity() : std::cyl_bessel_i(1.0, x);
  return std::copysign(static_cast<T>(size), input);
}

// sinc: sin(pi x) / (pi x), and 1 at 0.
template <class T>
EAGRE_SCALAR T sinc(T input) {
  constexpr double kPi = 3.141592653589793;
  if (input == 0) return T(1);
  const double angle = kPi * static_cast<double>(input);
  return static_cast<T>(std::sin(angle) / angle);
}

template <class T>
EAGRE_SCALAR Complex<T> sinc(Complex<T> input) {
  constexpr double kPi = 3.141592653589793;
  if (input == Complex<T>(0)) return {1, 0};
  const WideComplex angle = widen(Complex<double>{kPi * static_cast<double>(input.real),
                                                  kPi * static_cast<double>(input.imag)});
  return narrow<T>(__builtin_csin(angle) / angle);
}

// logit_no_eps: log(p / (1 - p)), what logit computes.
template <class T>
EAGRE_SCALAR T logit_no_eps(T input) {
  return std::log(input / (1 - input));
}

// xlogy: input * log(other), and 0 where the input is.
template <class T>
EAGRE_SCALAR T xlogy(T input, T other) {
  if (std::isnan(other)) return std::numeric_limits<T>::quiet_NaN();
  return input == 0 ? T(0) : input * std::log(other);
}

}  // namespace eagre::scalar
