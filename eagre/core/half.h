// The two 16-bit floating types, by their bits. They become float by themselves, so arithmetic
// happens there, and what is written is rounded.
#pragma once

#include <bit>
#include <cstdint>

namespace eagre {

// Truncated float: the upper half of its bits.
struct BFloat16 {
  uint16_t bits = 0;

  constexpr BFloat16() = default;
  // Rounds to nearest, ties to even; NaN stays NaN.
  constexpr BFloat16(float value) {  // NOLINT: as libtorch has it
    const auto word = std::bit_cast<uint32_t>(value);
    const uint32_t rounded = word + 0x7FFF + (word >> 16 & 1);
    const bool is_nan = (word & 0x7FFFFFFF) > 0x7F800000;
    bits = static_cast<uint16_t>(is_nan ? word >> 16 | 0x40 : rounded >> 16);
  }
  constexpr operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
  constexpr BFloat16& operator+=(float other) { return *this = float{*this} + other; }
  constexpr BFloat16& operator-=(float other) { return *this = float{*this} - other; }
  constexpr BFloat16& operator*=(float other) { return *this = float{*this} * other; }
  constexpr BFloat16& operator/=(float other) { return *this = float{*this} / other; }
};

// IEEE 754 binary16.
struct Half {
  uint16_t bits = 0;

  constexpr Half() = default;
  // Rounds to nearest, ties to even; too large becomes infinite.
  constexpr Half(float value) {  // NOLINT: as libtorch has it
    const auto word = std::bit_cast<uint32_t>(value);
    const uint32_t sign = word >> 16 & 0x8000;
    const uint32_t magnitude = word & 0x7FFFFFFF;
    uint32_t result = 0;
    if (magnitude > 0x7F800000) {
      result = 0x7E00 | (magnitude >> 13 & 0x3FF);
    } else if (magnitude >= 0x477FF000) {  // rounds to 65536 or more
      result = 0x7C00;
    } else if (magnitude >= 0x38800000) {  // normal
      result = (magnitude - 0x38000000 + 0xFFF + (magnitude >> 13 & 1)) >> 13;
    } else {  // subnormal: adding 0.5 puts the bits where they belong, rounded
      result = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000;
    }
    bits = static_cast<uint16_t>(sign | result);
  }
  constexpr operator float() const {
    const uint32_t sign = uint32_t{bits} << 16 & 0x80000000;
    const uint32_t magnitude = bits & 0x7FFF;
    uint32_t result = (magnitude << 13) + 0x38000000;
    if (magnitude >= 0x7C00) {
      result += 0x38000000;  // infinity and NaN
    } else if (magnitude < 0x400) {
      result = std::bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24F);
    }
    return std::bit_cast<float>(sign | result);
  }
  constexpr Half& operator+=(float other) { return *this = float{*this} + other; }
  constexpr Half& operator-=(float other) { return *this = float{*this} - other; }
  constexpr Half& operator*=(float other) { return *this = float{*this} * other; }
  constexpr Half& operator/=(float other) { return *this = float{*this} / other; }
};

}  // namespace eagre
