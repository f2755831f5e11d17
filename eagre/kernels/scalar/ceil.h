// ceil: the next integer upwards; integers as they are.
#pragma once

#include <cmath>
#include <type_traits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T ceil(T input) {
  if constexpr (std::is_floating_point_v<T>) return std::ceil(input);
  return input;
}

}  // namespace eagre::scalar
