// floor_divide: the quotient rounded down, so that input = quotient * other + remainder.
#pragma once

#include <eagre/kernels/scalar/fmod.h>

namespace eagre::scalar {

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
