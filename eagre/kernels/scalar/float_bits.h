// The layout of float and double as the scalar maths needs it, and powers of two made from bits.
#pragma once

#include <bit>
#include <cstdint>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
struct FloatBits;

// kRound is 1.5 * 2^mantissa: adding and taking it away rounds to an integer, which the low bits of
// the sum hold in between. The vector units of some isas convert integers in no other way.
template <>
struct FloatBits<float> {
  using Signed = int32_t;
  using Unsigned = uint32_t;
  static constexpr int kMantissa = 23, kBias = 127;
  static constexpr float kRound = 12582912.0F, kSmallestNormal = 0x1p-126F;
};
template <>
struct FloatBits<double> {
  using Signed = int64_t;
  using Unsigned = uint64_t;
  static constexpr int kMantissa = 52, kBias = 1023;
  static constexpr double kRound = 6755399441055744.0, kSmallestNormal = 0x1p-1022;
};

template <class T>
using SignedBits = typename FloatBits<T>::Signed;

// 2^exponent for exponents of normal numbers.
template <class T>
EAGRE_SCALAR T power_of_two(SignedBits<T> exponent) {
  using F = FloatBits<T>;
  return std::bit_cast<T>((exponent + F::kBias) << F::kMantissa);
}

// 2^n for a number whose lowest bits hold n + kBias, as kRound + kBias + n does: the shift drops
// all others.
template <class T>
EAGRE_SCALAR T power_from_low_bits(T shifted) {
  using Unsigned = typename FloatBits<T>::Unsigned;
  return std::bit_cast<T>(std::bit_cast<Unsigned>(shifted) << FloatBits<T>::kMantissa);
}

// value * 2^exponent in two steps: the exponent may leave the range although the product does not.
template <class T>
EAGRE_SCALAR T scale_by_power(T value, SignedBits<T> exponent) {
  // Half of it, rounded down; unsigned, since not every isa shifts 64 bits with their sign.
  constexpr int kShift = 4096;
  using Unsigned = typename FloatBits<T>::Unsigned;
  const auto half =
      static_cast<SignedBits<T>>(static_cast<Unsigned>(exponent + kShift) >> 1) - kShift / 2;
  return value * power_of_two<T>(half) * power_of_two<T>(exponent - half);
}

// A small integer as a floating-point number.
template <class T>
EAGRE_SCALAR T from_integer(SignedBits<T> value) {
  constexpr T kRound = FloatBits<T>::kRound;
  return std::bit_cast<T>(std::bit_cast<SignedBits<T>>(kRound) + value) - kRound;
}

}  // namespace eagre::scalar
