// exp without branches, so that compilers vectorise it: e^x = 2^n * e^r with |r| <= ln(2)/2.
// The polynomials are Taylor's; at that radius the first term left out is below half an ulp.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {
namespace detail {

// Adding and taking away 1.5 * 2^mantissa rounds to an integer and leaves it in the low bits.
struct ExpF32 {
  using Bits = int32_t;
  static constexpr float kRound = 12582912.0F, kLog2E = 1.44269504F;
  static constexpr float kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;
  static constexpr float kMax = 89.0F, kMin = -104.0F;
  static constexpr int kMantissa = 23, kBias = 127, kTerms = 7;
};
struct ExpF64 {
  using Bits = int64_t;
  static constexpr double kRound = 6755399441055744.0, kLog2E = 1.4426950408889634;
  static constexpr double kLn2High = 0.6931471803691238, kLn2Low = 1.9082149292705877e-10;
  static constexpr double kMax = 710.0, kMin = -746.0;
  static constexpr int kMantissa = 52, kBias = 1023, kTerms = 13;
};

template <class T, class C>
EAGRE_SCALAR T exp_by(T x) {
  using Bits = typename C::Bits;
  // Beyond these the result is inf or 0 anyway; NaN fails both comparisons and stays.
  T clamped = x > C::kMax ? C::kMax : x;
  clamped = clamped < C::kMin ? C::kMin : clamped;
  const T shifted = clamped * C::kLog2E + C::kRound;
  const T n = shifted - C::kRound;
  const T r = (clamped - n * C::kLn2High) - n * C::kLn2Low;

  T inverse_factorial[C::kTerms + 1];
  inverse_factorial[0] = 1;
  for (int i = 1; i <= C::kTerms; ++i) inverse_factorial[i] = inverse_factorial[i - 1] / i;
  T sum = inverse_factorial[C::kTerms];
  for (int i = C::kTerms - 1; i >= 2; --i) sum = sum * r + inverse_factorial[i];
  const T power = 1 + (r + r * r * sum);

  // 2^n as a product of two halves: n may leave the range of exponents although e^x does not.
  const Bits whole = std::bit_cast<Bits>(shifted) - std::bit_cast<Bits>(C::kRound);
  const Bits half = whole >> 1;
  const T first = std::bit_cast<T>((half + C::kBias) << C::kMantissa);
  const T second = std::bit_cast<T>((whole - half + C::kBias) << C::kMantissa);
  return power * first * second;
}

}  // namespace detail

EAGRE_SCALAR float exp(float x) { return detail::exp_by<float, detail::ExpF32>(x); }
EAGRE_SCALAR double exp(double x) { return detail::exp_by<double, detail::ExpF64>(x); }

}  // namespace eagre::scalar
