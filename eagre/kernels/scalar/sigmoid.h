// sigmoid: 1 / (1 + e^-x).
#pragma once

#include <eagre/kernels/scalar/sigmoid_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T sigmoid(T input) {
  return scaled_sigmoid(T(1), input);
}

}  // namespace eagre::scalar
