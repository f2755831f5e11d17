// neg: -input.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T neg(T input) {
  return static_cast<T>(-input);
}

}  // namespace eagre::scalar
