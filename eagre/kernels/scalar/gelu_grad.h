// gelu_grad: grad * (P(X < x) + x * p(x)) for a normal X and its density p.
#pragma once

#include <eagre/kernels/scalar/gelu_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T gelu_grad(T grad, T input) {
  constexpr T kInverseRootTwoPi = T(0.39894228040143267794);
  const T absolute = std::fabs(input);
  const T size = absolute > kNormalLimit<T> ? kNormalLimit<T> : absolute;
  const T power = lifted_exp(T(-0.5) * (size * size)) * Lift<T>::kDrop;
  const T tail = power * normal_ratio(size), slope = power * (size * kInverseRootTwoPi);
  return grad * (input < 0 ? tail - slope : (1 - tail) + slope);
}

}  // namespace eagre::scalar
