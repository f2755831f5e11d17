// tanh: E / (E + 2) with E = e^2x - 1; for small floats a polynomial, which is more exact.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

// From here on the result is 1.
EAGRE_SCALAR float tanh_limit(float) { return 10.0F; }
EAGRE_SCALAR double tanh_limit(double) { return 20.0; }

template <class T>
EAGRE_SCALAR T tanh(T input) {
  const T size = std::fabs(input);
  const ExpParts<T> parts = exp_parts(2 * (size > tanh_limit(T()) ? tanh_limit(T()) : size));
  const T power = power_of_two<T>(parts.whole);
  const T e = parts.rest * power + (power - 1);
  const T large = e / (e + 2);
  if constexpr (sizeof(T) == 8) return std::copysign(large, input);
  const T z = size * size;
  const T small = size + size * z *
                             polynomial(z, T(-0.333333194), T(0.133326024), T(-0.053853903),
                                        T(0.0210778844), T(-0.00628257636));
  return std::copysign(size < T(0.55) ? small : large, input);
}

template <class T>
EAGRE_SCALAR Complex<T> tanh(Complex<T> input) {
  return narrow<T>(wide_tanh(widen(input)));
}

}  // namespace eagre::scalar
