// silu and its derivative.
#pragma once

#include <eagre/kernels/scalar/sigmoid.h>

namespace eagre::scalar {

// silu: x * sigmoid(x).
template <class T>
EAGRE_SCALAR T silu(T input) {
  // Where e^x is 0 whatever x, the product with a huge x must be 0 too.
  return scaled_sigmoid(input < ExpRange<T>::kMin ? ExpRange<T>::kMin : input, input);
}

template <class T>
EAGRE_SCALAR Complex<T> silu(Complex<T> input) {
  return input * sigmoid(input);
}

// silu_grad: grad * s * (1 + x * (1 - s)) with s = sigmoid(x).
template <class T>
EAGRE_SCALAR T silu_grad(T grad, T input) {
  const T s = sigmoid(input);
  // Where s is 0 whatever x, the product with a huge x must be 0 too.
  const T x = input < ExpRange<T>::kMin ? ExpRange<T>::kMin : input;
  return grad * (s * (1 + x * (1 - s)));
}

template <class T>
EAGRE_SCALAR Complex<T> silu_grad(Complex<T> grad, Complex<T> input) {
  const Complex<T> s = sigmoid(input);
  return grad * (s * (Complex<T>(1) + input * (Complex<T>(1) - s)));
}

}  // namespace eagre::scalar
