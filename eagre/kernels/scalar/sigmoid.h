// sigmoid: 1 / (1 + e^-x), as e^-|x| / (1 + e^-|x|) where x is negative: nothing overflows.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/exp.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T sigmoid(T input) {
  const T decay = exp(-std::fabs(input));
  return (input < 0 ? decay : T(1)) / (1 + decay);
}

}  // namespace eagre::scalar
