// log2: the logarithm to base 2.
#pragma once

#include <eagre/kernels/scalar/complex_parts.h>
#include <eagre/kernels/scalar/log_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T log2(T input) {
  const LogParts<T> parts = log_parts(input);
  // 1 / ln(2) is 1 + kRest: the fraction itself is added unrounded.
  constexpr T kRest = T(0.44269504088896340736);
  const T tail = log_tail(parts.fraction);
  const T sum = ((tail * kRest + parts.fraction * kRest) + tail) + parts.fraction;
  return log_or_special(input, parts.exponent + sum);
}

template <class T>
EAGRE_SCALAR Complex<T> log2(Complex<T> input) {
  // Part by part: a product of complex numbers would make NaN of an infinite part.
  const WideComplex natural = __builtin_clog(widen(input));
  constexpr double kInverse = 1.44269504088896340736;
  return {static_cast<T>(__real__ natural * kInverse), static_cast<T>(__imag__ natural * kInverse)};
}

}  // namespace eagre::scalar
