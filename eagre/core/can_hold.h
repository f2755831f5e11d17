// Whether a number survives the conversion to another type, but for its fraction and last places.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <eagre/core/complex.h>
#include <eagre/core/complex_half.h>
#include <eagre/core/float8.h>
#include <eagre/core/half.h>

namespace eagre {

template <class T>
constexpr double largest_finite() {
  if constexpr (std::is_same_v<T, Half>) {
    return 65504;
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return 3.3895313892515355e38;
  } else if constexpr (std::is_same_v<T, Float8_e4m3fn>) {
    return 448;
  } else if constexpr (std::is_same_v<T, Float8_e5m2>) {
    return 57344;
  } else {
    return static_cast<double>(std::numeric_limits<T>::max());
  }
}

// As in libtorch everything is a bool, and unsigned types take the negative of what they
// hold: it wraps around, so that `a - b` can be written as a sum.
template <class To, class From>
constexpr bool can_hold(From value) {
  if constexpr (std::is_same_v<To, bool> || std::is_same_v<From, bool> ||
                std::is_same_v<To, From>) {
    return true;
  } else if constexpr (std::is_same_v<From, Complex<Half>>) {
    return can_hold<To>(Complex<float>(value));
  } else if constexpr (kIsComplex<From> && kIsComplex<To>) {
    return can_hold<Real<To>>(value.real) && can_hold<Real<To>>(value.imag);
  } else if constexpr (kIsComplex<From>) {
    return value.imag == 0 && can_hold<To>(value.real);
  } else if constexpr (kIsComplex<To>) {
    return can_hold<Real<To>>(value);
  } else if constexpr (!std::is_arithmetic_v<From>) {  // half precision
    return can_hold<To>(static_cast<float>(value));
  } else if constexpr (!std::is_integral_v<To>) {
    const auto number = static_cast<double>(value);
    return !std::isfinite(number) ||
           (number <= largest_finite<To>() && number >= -largest_finite<To>());
  } else if constexpr (std::is_integral_v<From>) {
    constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<To>::max());
    if (value >= 0) return static_cast<uint64_t>(value) <= kMost;
    return uint64_t{0} - static_cast<uint64_t>(value) <= kMost + (std::is_signed_v<To> ? 1 : 0);
  } else {
    // 2^digits, which a double holds exactly; a fraction beyond the last integer is cut off.
    constexpr To kHalf = std::numeric_limits<To>::max() / 2 + 1;
    constexpr double kEnd = 2 * static_cast<double>(kHalf);
    const auto number = static_cast<double>(value);
    if (number >= kEnd || number != number) return false;
    if constexpr (std::is_unsigned_v<To>) return number > -kEnd;
    return sizeof(To) < 8 ? number > -kEnd - 1 : number >= -kEnd;
  }
}

}  // namespace eagre
