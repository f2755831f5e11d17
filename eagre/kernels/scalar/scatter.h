// The function of masked_fill.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// masked_fill: the value where the mask is set.
template <class T>
EAGRE_SCALAR T masked_fill(T input, bool mask, T value) {
  return mask ? value : input;
}

}  // namespace eagre::scalar
