// sinc: sin(pi x) / (pi x), and 1 at 0.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_parts.h>

namespace eagre::scalar {

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

}  // namespace eagre::scalar
