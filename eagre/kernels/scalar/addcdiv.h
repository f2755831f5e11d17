// addcdiv: input + value * tensor1 / tensor2.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T addcdiv(T input, T tensor1, T tensor2, T value) {
  return input + value * tensor1 / tensor2;
}

}  // namespace eagre::scalar
