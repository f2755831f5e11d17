// Inverse hyperbolic functions, which the C library computes.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>

namespace eagre::scalar {

// asinh: the inverse of sinh.
template <class T>
EAGRE_SCALAR T asinh(T input) {
  return std::asinh(input);
}

template <class T>
EAGRE_SCALAR Complex<T> asinh(Complex<T> input) {
  return narrow<T>(wide_asinh(widen(input)));
}

// acosh: the inverse of cosh; NaN below 1.
template <class T>
EAGRE_SCALAR T acosh(T input) {
  return std::acosh(input);
}

template <class T>
EAGRE_SCALAR Complex<T> acosh(Complex<T> input) {
  return narrow<T>(wide_acosh(widen(input)));
}

// atanh: the inverse of tanh; NaN beyond -1 and 1.
template <class T>
EAGRE_SCALAR T atanh(T input) {
  return std::atanh(input);
}

template <class T>
EAGRE_SCALAR Complex<T> atanh(Complex<T> input) {
  return narrow<T>(wide_atanh(widen(input)));
}

}  // namespace eagre::scalar
