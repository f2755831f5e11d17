// square: input * input.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T square(T input) {
  return static_cast<T>(input * input);
}

}  // namespace eagre::scalar
