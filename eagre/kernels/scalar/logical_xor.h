// logical_xor: true where exactly one of the inputs is not 0.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR bool logical_xor(T input, T other) {
  // Without a branch: both sides are cheap, and the loop becomes vector code.
  return !(input == T(0)) != !(other == T(0));
}

}  // namespace eagre::scalar
