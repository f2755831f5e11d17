// Hyperbolic sine and cosine.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

// What sinh and cosh share: e^x / 2, which stays finite a little longer than e^x.

template <class T>
EAGRE_SCALAR T half_exp(T x) {
  const ExpParts<T> parts = exp_parts(clamp_exponent(x));
  return scale_by_power(1 + parts.rest, parts.whole - 1);
}

// sinh: (e^x - e^-x) / 2, and a polynomial up to 1, where the difference would lose digits.
EAGRE_SCALAR float sinh_up_to_one(float x) {
  const float z = x * x;
  return x + x * z * polynomial(z, 0.166666672F, 0.00833335053F, 0.000198360663F, 2.81744042e-6F);
}
EAGRE_SCALAR double sinh_up_to_one(double x) {
  const double z = x * x;
  return x + x * z *
                 polynomial(z, 0.16666666666666669, 0.008333333333333139, 0.000198412698414375,
                            2.7557319155385393e-06, 2.505212339217242e-08, 1.6057240747330333e-10,
                            7.759302263178717e-13);
}

template <class T>
EAGRE_SCALAR T sinh(T input) {
  const T size = std::fabs(input);
  const T half = half_exp(size);
  return std::copysign(size < 1 ? sinh_up_to_one(size) : half - T(0.25) / half, input);
}

template <class T>
EAGRE_SCALAR Complex<T> sinh(Complex<T> input) {
  return narrow<T>(wide_sinh(widen(input)));
}

// cosh: (e^x + e^-x) / 2.
template <class T>
EAGRE_SCALAR T cosh(T input) {
  const T half = half_exp(std::fabs(input));
  return half + T(0.25) / half;
}

template <class T>
EAGRE_SCALAR Complex<T> cosh(Complex<T> input) {
  return narrow<T>(wide_cosh(widen(input)));
}

}  // namespace eagre::scalar
