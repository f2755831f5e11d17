// copysign: the size of the first with the sign of the second.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T copysign(T input, T other) {
  return std::copysign(input, other);
}

}  // namespace eagre::scalar
