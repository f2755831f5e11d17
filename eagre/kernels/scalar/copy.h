// The function of clone and cast.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// identity: what clone and cast compute; the conversion is in the loads and stores.
template <class T>
EAGRE_SCALAR T identity(T input) {
  return input;
}

}  // namespace eagre::scalar
