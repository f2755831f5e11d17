// gelu_tanh_grad: grad times the derivative of x * s(v), s the sigmoid and v = 2u of gelu_tanh.h.
#pragma once

#include <eagre/kernels/scalar/gelu_tanh.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T gelu_tanh_grad(T grad, T input) {
  constexpr T kLimit = kGeluTanhLimit;
  const T above = input < -kLimit ? -kLimit : input;
  const T x = above > kLimit ? kLimit : above;
  const T v = gelu_tanh_argument(x);
  const T s = scaled_sigmoid(T(1), v), rest = scaled_sigmoid(T(1), -v);
  const T slope = T(1.5957691216057307) + T(0.2140644488178007) * (x * x);
  return grad * (s + x * slope * s * rest);
}

}  // namespace eagre::scalar
