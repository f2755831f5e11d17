// ne: input != other.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR bool ne(T input, T other) {
  return !(input == other);
}

}  // namespace eagre::scalar
