// tanh_grad: the gradient of tanh from its result.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T tanh_grad(T grad, T output) {
  return grad * (1 - output * output);
}

}  // namespace eagre::scalar
