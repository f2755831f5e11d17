// silu: x * sigmoid(x).
#pragma once

#include <eagre/kernels/scalar/sigmoid.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T silu(T input) {
  // Where e^x is 0 whatever x, the product with a huge x must be 0 too.
  return scaled_sigmoid(input < ExpRange<T>::kMin ? ExpRange<T>::kMin : input, input);
}

template <class T>
EAGRE_SCALAR Complex<T> silu(Complex<T> input) {
  return input * sigmoid(input);
}

}  // namespace eagre::scalar
