// fmod: what is left of the division towards 0, with the sign of the dividend.
#pragma once

#include <cmath>
#include <type_traits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

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

}  // namespace eagre::scalar
