// silu: x * sigmoid(x).
#pragma once

#include <eagre/kernels/scalar/sigmoid_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T silu(T input) {
  // Where e^x is 0 whatever x: the product with a huge x would not be.
  return scaled_sigmoid(input < ExpRange<T>::kMin ? input * 0 : input, input);
}

}  // namespace eagre::scalar
