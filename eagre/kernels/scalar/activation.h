// Activations without exponentials, and derivatives that are given the result.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// relu: input where it is positive, else 0; NaN stays.
template <class T>
EAGRE_SCALAR T relu(T input) {
  return input < T(0) ? T(0) : input;
}

// relu_grad: grad where the result of relu is positive, else 0; where it is NaN, grad.
template <class T>
EAGRE_SCALAR T relu_grad(T grad, T output) {
  return output <= 0 ? T(0) : grad;
}

// sigmoid_grad: the gradient of sigmoid from its result.
template <class T>
EAGRE_SCALAR T sigmoid_grad(T grad, T output) {
  return grad * (output * (T(1) - output));
}

// tanh_grad: the gradient of tanh from its result.
template <class T>
EAGRE_SCALAR T tanh_grad(T grad, T output) {
  return grad * (1 - output * output);
}

}  // namespace eagre::scalar
