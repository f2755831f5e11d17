// softplus_slope: sigmoid(beta * x), and 1 above the threshold.
#pragma once

#include <eagre/kernels/scalar/sigmoid.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T softplus_slope(T input, T beta, T threshold) {
  const T scaled = input * beta;
  return scaled > threshold ? T(1) : sigmoid(scaled);
}

}  // namespace eagre::scalar
