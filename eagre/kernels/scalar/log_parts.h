// A positive number as 2^exponent * (1 + fraction) with 1 + fraction from sqrt(1/2) to sqrt(2), and
// log(1 + fraction): what the logarithms are made of.
#pragma once

#include <limits>

#include <eagre/kernels/scalar/float_bits.h>
#include <eagre/kernels/scalar/polynomial.h>

namespace eagre::scalar {

template <class T>
struct LogParts {
  T exponent, fraction;
};

template <class T>
EAGRE_SCALAR LogParts<T> log_parts(T x) {
  using F = FloatBits<T>;
  using Unsigned = typename F::Unsigned;
  // Denormal numbers are made normal first.
  constexpr int kLift = F::kMantissa + 2;
  const bool tiny = x < F::kSmallestNormal;
  const T normal = tiny ? x * static_cast<T>(Unsigned{1} << kLift) : x;
  const Unsigned bits = std::bit_cast<Unsigned>(normal);
  constexpr Unsigned kOne = std::bit_cast<Unsigned>(T(1));
  constexpr Unsigned kRootHalf = std::bit_cast<Unsigned>(T(0.70710678118654752));
  const Unsigned raised = (bits + (kOne - kRootHalf)) >> F::kMantissa;
  const auto exponent = static_cast<SignedBits<T>>(raised) - F::kBias;
  const T mantissa = std::bit_cast<T>(bits - (static_cast<Unsigned>(exponent) << F::kMantissa));
  return {from_integer<T>(exponent) - (tiny ? T(kLift) : T(0)), mantissa - 1};
}

// log(1 + f) - f.
EAGRE_SCALAR float log_tail(float f) {
  const float square = f * f;
  const float p =
      polynomial(f, 0.333333135F, -0.250000089F, 0.200021178F, -0.166680008F, 0.142195672F,
                 -0.124054998F, 0.118879944F, -0.11676158F, 0.0674759001F);
  return square * (f * p) - 0.5F * square;
}
EAGRE_SCALAR double log_tail(double f) {
  const double s = f / (2 + f);
  const double z = s * s;
  const double p = z * polynomial(z, 0.6666666666666666, 0.4000000000000623, 0.2857142856909144,
                                  0.2222222264602914, 0.18181775721222987, 0.15387088558366965,
                                  0.13250162893676537, 0.1325096068285083);
  // log(1 + f) = 2s + s * p and 2s = f - s * f.
  return s * (p - f);
}

// The logarithm of 0, of negative numbers, infinity and NaN; `result` for all others.
template <class T>
EAGRE_SCALAR T log_or_special(T x, T result) {
  using Limits = std::numeric_limits<T>;
  const T finite = x < Limits::infinity() ? result : x;
  const T positive = x == 0 ? -Limits::infinity() : finite;
  return x < 0 ? Limits::quiet_NaN() : positive;
}

}  // namespace eagre::scalar
