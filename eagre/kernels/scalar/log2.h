// log2: the logarithm to base 2.
#pragma once

#include <eagre/kernels/scalar/complex_functions.h>
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
  const WideComplex natural = wide_log(widen(input));
  constexpr double kInverse = 1.44269504088896340736;
  return {static_cast<T>(real_part(natural) * kInverse),
          static_cast<T>(imaginary_part(natural) * kInverse)};
}

}  // namespace eagre::scalar
