// silu: x * sigmoid(x).
#pragma once

#include <eagre/kernels/scalar/sigmoid_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T silu(T input) {
  // Where e^x is 0 whatever x, the product with a huge x must be 0 too.
  return scaled_sigmoid(input < ExpRange<T>::kMin ? ExpRange<T>::kMin : input, input);
}

}  // namespace eagre::scalar
