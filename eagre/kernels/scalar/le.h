// le: input <= other.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR bool le(T input, T other) {
  return input <= other;
}

}  // namespace eagre::scalar
