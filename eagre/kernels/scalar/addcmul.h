// addcmul: input + value * tensor1 * tensor2.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T addcmul(T input, T tensor1, T tensor2, T value) {
  return static_cast<T>(input + value * tensor1 * tensor2);
}

}  // namespace eagre::scalar
