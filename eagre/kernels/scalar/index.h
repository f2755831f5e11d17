// The function of where.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// where: one of two values.
template <class T>
EAGRE_SCALAR T where(bool condition, T input, T other) {
  return condition ? input : other;
}

}  // namespace eagre::scalar
