// gelu: x * P(X < x) for a normal X.
#pragma once

#include <eagre/kernels/scalar/gelu_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T gelu(T input) {
  const bool negative = input < 0;
  const T factor = input < -kNormalLimit<T> ? input * 0 : input;
  const T tail = scaled_normal_tail(negative ? factor : T(1), input);
  return negative ? tail : input * (1 - tail);
}

}  // namespace eagre::scalar
