// exp without branches, so that compilers vectorise it.
#pragma once

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T exp(T input) {
  const ExpParts<T> parts = exp_parts(clamp_exponent(input));
  return scale_by_power(1 + parts.rest, parts.whole);
}

template <class T>
EAGRE_SCALAR Complex<T> exp(Complex<T> input) {
  return narrow<T>(wide_exp(widen(input)));
}

}  // namespace eagre::scalar
