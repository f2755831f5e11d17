// e^x in parts: 2^whole * (1 + rest), which exp and the functions made of it put together without
// branches. The remainder is at most ln(2) / 2 in size; the polynomials are minimax there.
#pragma once

#include <eagre/kernels/scalar/float_bits.h>
#include <eagre/kernels/scalar/polynomial.h>

namespace eagre::scalar {

template <class T>
struct ExpParts {
  SignedBits<T> whole;
  T rest;
};

// Beyond these bounds e^x, e^x / 2 and x * e^x do not change any more.
template <class T>
struct ExpRange;
template <>
struct ExpRange<float> {
  static constexpr float kMax = 90.0F, kMin = -110.0F;
};
template <>
struct ExpRange<double> {
  static constexpr double kMax = 711.0, kMin = -755.0;
};

// NaN fails both comparisons and stays.
template <class T>
EAGRE_SCALAR T clamp_exponent(T x) {
  const T below = x > ExpRange<T>::kMax ? ExpRange<T>::kMax : x;
  return below < ExpRange<T>::kMin ? ExpRange<T>::kMin : below;
}

// e^r - 1 for r = high - low. The larger part is added last, unrounded.
EAGRE_SCALAR float exp_remainder(float high, float low) {
  const float r = high - low;
  const float p = polynomial(r, 0.5F, 0.166665182F, 0.041666206F, 0.00836888887F, 0.00139505044F);
  return high + (r * r * p - low);
}
EAGRE_SCALAR double exp_remainder(double high, double low) {
  const double r = high - low;
  const double p = polynomial(r, 0.5, 0.16666666666666677, 0.0416666666666667, 0.008333333333321617,
                              0.0013888888888866687, 0.00019841269886157776, 2.4801587360804564e-05,
                              2.755724418261334e-06, 2.755724258086041e-07, 2.5109044673413237e-08,
                              2.092449020707019e-09);
  return high + (r * r * p - low);
}

// ln(2) in two parts, the first so short that its multiples are exact.
template <class T>
struct LogTwo;
template <>
struct LogTwo<float> {
  static constexpr float kHigh = 0.693359375F, kLow = -2.12194440e-4F, kInverse = 1.44269504F;
};
template <>
struct LogTwo<double> {
  static constexpr double kHigh = 0.6931471803691238, kLow = 1.9082149292705877e-10,
                          kInverse = 1.4426950408889634;
};

template <class T>
EAGRE_SCALAR ExpParts<T> exp_parts(T x) {
  constexpr T kRound = FloatBits<T>::kRound;
  const T shifted = x * LogTwo<T>::kInverse + kRound;
  const T n = shifted - kRound;
  return {std::bit_cast<SignedBits<T>>(shifted) - std::bit_cast<SignedBits<T>>(kRound),
          exp_remainder(x - n * LogTwo<T>::kHigh, n * LogTwo<T>::kLow)};
}

// How far results of lifted_exp are raised: a multiplication by kDrop makes them, and products of
// them, denormal where they should be, with a single rounding.
template <class T>
struct Lift {
  static constexpr int kBits = sizeof(T) == 4 ? 40 : 128;
  static constexpr T kDrop = sizeof(T) == 4 ? T(0x1p-40) : T(0x1p-128);
};

// e^(x + low) / kDrop for x from kMin to 0; low is the part of the argument that x has no room for.
template <class T>
EAGRE_SCALAR T lifted_exp(T x, T low = 0) {
  constexpr T kRound = FloatBits<T>::kRound + Lift<T>::kBits + FloatBits<T>::kBias;
  const T shifted = x * LogTwo<T>::kInverse + kRound;
  const T n = shifted - kRound;
  const T power = 1 + exp_remainder(x - n * LogTwo<T>::kHigh, n * LogTwo<T>::kLow - low);
  return power * power_from_low_bits(shifted);
}

}  // namespace eagre::scalar
