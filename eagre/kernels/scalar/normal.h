// Two normal numbers from random bits, by Box and Muller: sqrt(-2 ln u) times cosine and sine of a
// random angle. Without branches and tables, so that compilers vectorise it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <eagre/kernels/scalar/host_device.h>
#include <eagre/kernels/scalar/uniform.h>

namespace eagre::scalar {

template <class T>
struct Pair {
  T first, second;
};

namespace detail {

struct NormalF32 {
  using Bits = int32_t;
  static constexpr int kMantissa = 23, kLogTerms = 5, kAngleTerms = 6;
  static constexpr Bits kRootHalf = 0x3F3504F3;
  static constexpr float kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;
};
struct NormalF64 {
  using Bits = int64_t;
  static constexpr int kMantissa = 52, kLogTerms = 11, kAngleTerms = 10;
  static constexpr Bits kRootHalf = 0x3FE6A09E667F3BCD;
  static constexpr double kLn2High = 0.6931471803691238, kLn2Low = 1.9082149292705877e-10;
};

// ln u for a normal number u > 0: u = 2^e m with m around 1, and ln m = 2 artanh((m - 1)/(m + 1)),
// by Taylor's series.
template <class T, class C>
EAGRE_SCALAR T log_of(T u) {
  using Bits = typename C::Bits;
  const Bits bits = std::bit_cast<Bits>(u);
  const Bits exponent = (bits - C::kRootHalf) >> C::kMantissa;
  const T m = std::bit_cast<T>(bits - (exponent << C::kMantissa));
  const T s = (m - 1) / (m + 1);
  const T square = s * s;
  T sum = 0;
  for (int k = C::kLogTerms; k >= 1; --k) sum = sum * square + T(2) / T(2 * k + 1);
  const T e = static_cast<T>(static_cast<int32_t>(exponent));
  return e * C::kLn2High + (2 * s + (s * square * sum + e * C::kLn2Low));
}

// Cosine and sine of a quarter of the circle (0 … 3) plus r, |r| <= pi/4, by Taylor's series.
template <class T, class C>
EAGRE_SCALAR Pair<T> cos_sin(uint32_t quarter, T r) {
  const T square = r * r;
  T cosine = 0, sine = 0;
  for (int k = C::kAngleTerms; k >= 1; --k) {
    cosine = (1 - cosine) * (square * (T(1) / T((2 * k - 1) * (2 * k))));
    sine = (1 - sine) * (square * (T(1) / T((2 * k) * (2 * k + 1))));
  }
  cosine = 1 - cosine;
  sine = r - r * sine;
  const bool odd = (quarter & 1) != 0;
  const T along = odd ? sine : cosine, across = odd ? cosine : sine;
  return {((quarter + 1) & 2) != 0 ? -along : along, (quarter & 2) != 0 ? -across : across};
}

template <class T, class C>
EAGRE_SCALAR Pair<T> box_muller(T u, uint32_t quarter, T r) {
  const T radius = std::sqrt(-2 * log_of<T, C>(u));
  const Pair<T> direction = cos_sin<T, C>(quarter, r);
  return {radius * direction.first, radius * direction.second};
}

}  // namespace detail

// The angle in parts of 2^32 of the circle, split exactly into quarters and the rest.
EAGRE_SCALAR Pair<float> normal_f32(uint32_t size, uint32_t angle) {
  const float u = (static_cast<float>(static_cast<int32_t>(size >> 1)) + 0.5F) * 0x1p-31F;
  const uint32_t quarter = (angle + 0x20000000U) >> 30;
  const auto rest = static_cast<float>(static_cast<int32_t>(angle - (quarter << 30)));
  constexpr auto kUnit = static_cast<float>(std::numbers::pi * 0x1p-31);
  return detail::box_muller<float, detail::NormalF32>(u, quarter, rest * kUnit);
}

EAGRE_SCALAR Pair<double> normal_f64(uint32_t size_high, uint32_t size_low, uint32_t angle_high,
                                     uint32_t angle_low) {
  const double u = uniform_f64(size_high, size_low) + 0x1p-54;
  const uint32_t quarter = (angle_high + 0x20000000U) >> 30;
  const auto high = static_cast<double>(static_cast<int32_t>(angle_high - (quarter << 30)));
  const auto low = static_cast<double>(static_cast<int32_t>(angle_low >> 1));
  constexpr double kUnit = std::numbers::pi * 0x1p-31;
  return detail::box_muller<double, detail::NormalF64>(u, quarter, (high + low * 0x1p-31) * kUnit);
}

}  // namespace eagre::scalar
