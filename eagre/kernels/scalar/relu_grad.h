// relu_grad: grad where the result of relu is positive, else 0; where it is NaN, grad.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T relu_grad(T grad, T output) {
  return output <= 0 ? T(0) : grad;
}

}  // namespace eagre::scalar
