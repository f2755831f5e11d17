// hypot: the length of the hypotenuse, without overflow on the way.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T hypot(T input, T other) {
  return std::hypot(input, other);
}

}  // namespace eagre::scalar
