// exp2: 2 to the power of the input.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T exp2(T input) {
  return std::exp2(input);
}

template <class T>
EAGRE_SCALAR Complex<T> exp2(Complex<T> input) {
  constexpr double kLogTwo = 0.6931471805599453;
  const Complex<double> scaled{static_cast<double>(input.real) * kLogTwo,
                               static_cast<double>(input.imag) * kLogTwo};
  return narrow<T>(__builtin_cexp(widen(scaled)));
}

}  // namespace eagre::scalar
