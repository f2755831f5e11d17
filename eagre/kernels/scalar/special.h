// Functions of analysis that are short here, as the C library computes them.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// erfc: 1 - erf(x), exact also where that is small.
template <class T>
EAGRE_SCALAR T erfc(T input) {
  return std::erfc(input);
}

// lgamma: the logarithm of the size of the gamma function.
//
// On the host lgamma() itself writes the sign to a variable that all threads share.
#ifdef __CUDACC__
EAGRE_SCALAR float lgamma(float input) { return ::lgammaf(input); }
EAGRE_SCALAR double lgamma(double input) { return ::lgamma(input); }
#else
EAGRE_SCALAR float lgamma(float input) {
  int sign = 0;
  return ::lgammaf_r(input, &sign);
}
EAGRE_SCALAR double lgamma(double input) {
  int sign = 0;
  return ::lgamma_r(input, &sign);
}
#endif

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
  return narrow<T>(wide_sin(angle) / angle);
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

// xlog1py: input * log1p(other), and 0 where the input is.
template <class T>
EAGRE_SCALAR T xlog1py(T input, T other) {
  if (std::isnan(other)) return std::numeric_limits<T>::quiet_NaN();
  return input == 0 ? T(0) : input * std::log1p(other);
}

}  // namespace eagre::scalar
