// reciprocal: 1 / input.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T reciprocal(T input) {
  return 1 / input;
}

}  // namespace eagre::scalar
