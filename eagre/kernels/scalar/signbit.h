// signbit: is the sign set? Also that of -0 and of NaN.
#pragma once

#include <cmath>
#include <type_traits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR bool signbit(T input) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::signbit(input);
  } else if constexpr (std::is_signed_v<T>) {
    return input < 0;
  } else {
    return false;
  }
}

}  // namespace eagre::scalar
