// log10: the logarithm to base 10.
#pragma once

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/log_parts.h>

namespace eagre::scalar {

// log10(2) in two parts, the first so short that its multiples are exact.
template <class T>
struct Log10OfTwo;
template <>
struct Log10OfTwo<float> {
  static constexpr float kHigh = 0.301025390625F, kLow = 4.605039e-6F;
};
template <>
struct Log10OfTwo<double> {
  static constexpr double kHigh = 0.3010299956640665, kLow = -8.532344317057107e-14;
};

template <class T>
EAGRE_SCALAR T log10(T input) {
  // 1 / ln(10) is 1/2 + kRest: half of the fraction is added unrounded.
  constexpr T kInverse = T(0.43429448190325182765), kRest = T(-0.06570551809674817235);
  using Two = Log10OfTwo<T>;
  const LogParts<T> parts = log_parts(input);
  const T rest = log_tail(parts.fraction) * kInverse + parts.fraction * kRest;
  const T low = T(0.5) * parts.fraction + (rest + parts.exponent * Two::kLow);
  return log_or_special(input, parts.exponent * Two::kHigh + low);
}

template <class T>
EAGRE_SCALAR Complex<T> log10(Complex<T> input) {
  // Part by part: a product of complex numbers would make NaN of an infinite part.
  const WideComplex natural = wide_log(widen(input));
  constexpr double kInverse = 0.43429448190325182765;
  return {static_cast<T>(real_part(natural) * kInverse),
          static_cast<T>(imaginary_part(natural) * kInverse)};
}

}  // namespace eagre::scalar
