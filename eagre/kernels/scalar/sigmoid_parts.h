// factor / (1 + e^-x): what sigmoid and the activations made of it share.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

// Of x + low; as factor * e^-|x| / (1 + e^-|x|) where x is negative: nothing overflows, and the
// factor is multiplied in before the power alone becomes denormal.
template <class T>
EAGRE_SCALAR T scaled_sigmoid(T factor, T x, T low = 0) {
  const T size = std::fabs(x);
  const T clamped = size > -ExpRange<T>::kMin ? -ExpRange<T>::kMin : size;
  const T lifted = lifted_exp(-clamped, x < 0 ? low : -low);
  const T above = x < 0 ? factor * lifted * Lift<T>::kDrop : factor;
  return above / (1 + lifted * Lift<T>::kDrop);
}

}  // namespace eagre::scalar
