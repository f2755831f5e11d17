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
  const float p =
      polynomial(r, 0.5F, 0.166665182F, 0.041666206F, 0.00836888887F, 0.00139505044F);
  return high + (r * r * p - low);
}
EAGRE_SCALAR double exp_remainder(double high, double low) {
  const double r = high - low;
  const double p = polynomial(r, 0.5, 0.16666666666666677, 0.0416666666666667,
                              0.008333333333321617, 0.0013888888888866687, 0.00019841269886157776,
                              2.4801587360804564e-05, 2.755724418261334e-06, 2.755724258086041e-07,
                              2.5109044673413237e-08, 2.092449020707019e-09);
  return high + (r * r * p - low);
}

// Of x + low, where low is the part of the argument that x has no room for. ln(2) is in two parts,
// the first so short that its multiples are exact.
EAGRE_SCALAR ExpParts<float> exp_parts(float x, float low = 0) {
  constexpr float kRound = FloatBits<float>::kRound;
  const float shifted = x * 1.44269504F + kRound;
  const float n = shifted - kRound;
  return {std::bit_cast<int32_t>(shifted) - std::bit_cast<int32_t>(kRound),
          exp_remainder(x - n * 0.693359375F, n * -2.12194440e-4F - low)};
}
EAGRE_SCALAR ExpParts<double> exp_parts(double x, double low = 0) {
  constexpr double kRound = FloatBits<double>::kRound;
  const double shifted = x * 1.4426950408889634 + kRound;
  const double n = shifted - kRound;
  return {std::bit_cast<int64_t>(shifted) - std::bit_cast<int64_t>(kRound),
          exp_remainder(x - n * 0.6931471803691238, n * 1.9082149292705877e-10 - low)};
}

}  // namespace eagre::scalar
