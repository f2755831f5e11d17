// Floor division and truncated division, and their remainders.
#pragma once

#include <cmath>
#include <type_traits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// trunc_divide: the quotient rounded towards 0.
//
// Integers: 0 for a divisor of 0, which operators refuse before; the lowest number divided by -1
// wraps around.
template <class T>
EAGRE_SCALAR T trunc_divide(T input, T other) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::trunc(input / other);
  } else {
    if (other == T(0)) return T(0);
    if (std::is_signed_v<T> && other == static_cast<T>(-1)) return static_cast<T>(T(0) - input);
    return static_cast<T>(input / other);
  }
}

// fmod: what is left of the division towards 0, with the sign of the dividend.
//
// Integers: 0 for a divisor of 0, which operators refuse before, and of -1, where the quotient of
// the lowest number has no room; processors stop at both.
template <class T>
EAGRE_SCALAR T fmod(T input, T other) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(input, other);
  } else {
    const bool is_minus_one = std::is_signed_v<T> && other == static_cast<T>(-1);
    return other == T(0) || is_minus_one ? T(0) : static_cast<T>(input % other);
  }
}

// remainder: what is left of the division downwards, with the sign of the divisor.
template <class T>
EAGRE_SCALAR T remainder(T input, T other) {
  const T rest = fmod(input, other);
  return rest != 0 && (rest < 0) != (other < 0) ? static_cast<T>(rest + other) : rest;
}

// floor_divide: the quotient rounded down, so that input = quotient * other + remainder.
template <class T>
EAGRE_SCALAR T floor_divide_floats(T input, T other) {
  // From the exact rest: the rounded quotient may be the next integer above.
  const T rest = fmod(input, other);
  const T down = rest != 0 && (rest < 0) != (other < 0) ? T(1) : T(0);
  const T quotient = (input - rest) / other - down;
  const T floor = std::floor(quotient);
  const T nearest = quotient - floor > T(0.5) ? floor + 1 : floor;
  const T signed_zero = std::copysign(T(0), input / other);
  return other == 0 ? input / other : (quotient == 0 ? signed_zero : nearest);
}

// Integers: 0 for a divisor of 0, which operators refuse before; the lowest number divided by -1
// wraps around.
template <class T>
EAGRE_SCALAR T floor_divide(T input, T other) {
  if constexpr (std::is_floating_point_v<T>) {
    return floor_divide_floats(input, other);
  } else {
    if (other == T(0)) return T(0);
    if (std::is_signed_v<T> && other == static_cast<T>(-1)) return static_cast<T>(T(0) - input);
    const T quotient = static_cast<T>(input / other);
    return input % other != 0 && (input < 0) != (other < 0) ? static_cast<T>(quotient - 1)
                                                            : quotient;
  }
}

}  // namespace eagre::scalar
