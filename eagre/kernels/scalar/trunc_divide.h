// trunc_divide: the quotient rounded towards 0.
#pragma once

#include <cmath>
#include <type_traits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

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

}  // namespace eagre::scalar
