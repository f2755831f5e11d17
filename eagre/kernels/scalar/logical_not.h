// logical_not: true where the input is 0.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR bool logical_not(T input) {
  return input == T(0);
}

}  // namespace eagre::scalar
