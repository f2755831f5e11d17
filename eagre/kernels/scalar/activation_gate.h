// Products with a sigmoid of another number.
#pragma once

#include <eagre/kernels/scalar/sigmoid.h>

namespace eagre::scalar {

// gated: input * sigmoid(gate).
template <class T>
EAGRE_SCALAR T gated(T input, T gate) {
  return scaled_sigmoid(input, gate);
}

// gate_grad: grad * input * sigmoid(gate) * sigmoid(-gate).
template <class T>
EAGRE_SCALAR T gate_grad(T grad, T input, T gate) {
  return scaled_sigmoid(grad * input, gate) * sigmoid(-gate);
}

}  // namespace eagre::scalar
