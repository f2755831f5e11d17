// sigmoid_grad: the gradient of sigmoid from its result.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T sigmoid_grad(T grad, T output) {
  return grad * (output * (T(1) - output));
}

}  // namespace eagre::scalar
