// sub: input - alpha * other.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T sub(T input, T other, T alpha) {
  return static_cast<T>(input - alpha * other);
}

}  // namespace eagre::scalar
