// round: the nearest integer, ties to the even one; integers as they are.
#pragma once

#include <cmath>
#include <type_traits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T round(T input) {
  // In the rounding mode that programs start with.
  if constexpr (std::is_floating_point_v<T>) return std::rint(input);
  return input;
}

}  // namespace eagre::scalar
