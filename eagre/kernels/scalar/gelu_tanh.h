// gelu's approximation by tanh, and its derivative.
#pragma once

#include <eagre/kernels/scalar/sigmoid_parts.h>

namespace eagre::scalar {

// gelu_tanh: x * (1 + tanh(u)) / 2 with u = sqrt(2/pi) * (x + 0.044715 x^3), as x * sigmoid(2u).
//
// Beyond this size the result is x or 0.
constexpr int kGeluTanhLimit = 25;

template <class T>
EAGRE_SCALAR T gelu_tanh_factor(T x) {
  return x < -kGeluTanhLimit ? T(-kGeluTanhLimit) : x;
}

template <class T>
EAGRE_SCALAR T gelu_tanh_argument(T x) {
  constexpr T kLimit = kGeluTanhLimit;
  const T above = x < -kLimit ? -kLimit : x;
  const T clamped = above > kLimit ? kLimit : above;
  return clamped * (T(1.5957691216057307) + T(0.07135481627260025) * (clamped * clamped));
}

// In double: the exponential multiplies the rounding error of its argument by the argument.
EAGRE_SCALAR float gelu_tanh(float input) {
  const double argument = gelu_tanh_argument<double>(input);
  const auto high = static_cast<float>(argument);
  return scaled_sigmoid(gelu_tanh_factor(input), high, static_cast<float>(argument - double{high}));
}
EAGRE_SCALAR double gelu_tanh(double input) {
  return scaled_sigmoid(gelu_tanh_factor(input), gelu_tanh_argument(input));
}

// gelu_tanh_grad: grad times the derivative of x * s(v), s the sigmoid and v = 2u of gelu_tanh.h.
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
