// The two 8-bit floating types of the Open Compute Project (OFP8), by their bits: they are stored
// and moved, and what is computed of them is computed in float.
#pragma once

#include <bit>
#include <cstdint>

#include <eagre/core/half.h>

namespace eagre {

namespace detail {
// The magnitude of a finite float as a number with so many bits of fraction and such a bias of its
// exponent, rounded to nearest, ties to even. Whether it is too large is the caller's to ask.
template <int kFraction, int kBias>
constexpr uint32_t narrowed(uint32_t magnitude) {
  constexpr int kDropped = 23 - kFraction;
  constexpr uint32_t kBiases = uint32_t{127 - kBias} << 23;  // how far apart they are
  if (magnitude > kBiases + 0x7FFFFF) {                      // normal
    const uint32_t below_half = (uint32_t{1} << (kDropped - 1)) - 1;
    return (magnitude - kBiases + below_half + (magnitude >> kDropped & 1)) >> kDropped;
  }
  // Subnormal: adding this power of two puts the bits where they belong, rounded.
  constexpr uint32_t kPower = uint32_t{127 + 24 - kBias - kFraction} << 23;
  const float sum = std::bit_cast<float>(magnitude) + std::bit_cast<float>(kPower);
  return std::bit_cast<uint32_t>(sum) - kPower;
}
}  // namespace detail

// 4 bits of exponent, 3 of fraction; neither infinity nor its room: 0x7F alone is NaN, and numbers
// go up to 448.
struct Float8_e4m3fn {
  uint8_t bits = 0;

  constexpr Float8_e4m3fn() = default;
  // What is too large becomes ±448, as in PyTorch 2.15 (earlier versions made it NaN).
  constexpr explicit Float8_e4m3fn(float value) {
    const auto word = std::bit_cast<uint32_t>(value);
    const uint32_t magnitude = word & 0x7FFFFFFF;
    uint32_t result = 0;
    if (magnitude > 0x7F800000) {
      result = 0x7F;
    } else if (magnitude >= 0x43E00000) {  // 448
      result = 0x7E;
    } else {
      result = detail::narrowed<3, 7>(magnitude);
    }
    bits = static_cast<uint8_t>((word >> 24 & 0x80) | result);
  }
  constexpr explicit operator float() const {
    const uint32_t sign = uint32_t{bits} << 24 & 0x80000000;
    const uint32_t magnitude = bits & 0x7F;
    uint32_t result = (magnitude << 20) + 0x3C000000;
    if (magnitude == 0x7F) {
      result = 0x7FC00000;
    } else if (magnitude < 8) {
      result = std::bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-9F);
    }
    return std::bit_cast<float>(sign | result);
  }
};

// 5 bits of exponent, 2 of fraction: the upper half of the bits of a Half.
struct Float8_e5m2 {
  uint8_t bits = 0;

  constexpr Float8_e5m2() = default;
  // What is too large becomes infinite.
  constexpr explicit Float8_e5m2(float value) {
    const auto word = std::bit_cast<uint32_t>(value);
    const uint32_t magnitude = word & 0x7FFFFFFF;
    uint32_t result = 0;
    if (magnitude > 0x7F800000) {
      result = 0x7F;
    } else if (magnitude >= 0x47700000) {  // rounds to 65536 or more
      result = 0x7C;
    } else {
      result = detail::narrowed<2, 15>(magnitude);
    }
    bits = static_cast<uint8_t>((word >> 24 & 0x80) | result);
  }
  constexpr explicit operator float() const {
    Half half;
    half.bits = static_cast<uint16_t>(bits << 8);
    return static_cast<float>(half);
  }
};

}  // namespace eagre
