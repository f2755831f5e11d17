// Losses that are functions of a difference, and their derivatives.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T l1_each(T input, T target) {
  return std::fabs(input - target);
}

// grad times the sign of the difference.
template <class T>
EAGRE_SCALAR T l1_grad(T grad, T input, T target) {
  const T difference = input - target;
  const T below = difference < 0 ? -grad : grad * 0;  // NaN stays
  return difference > 0 ? grad : below;
}

template <class T>
EAGRE_SCALAR T smooth_l1_each(T input, T target, T beta) {
  const T size = std::fabs(input - target);
  return size < beta ? T(0.5) * size * size / beta : size - T(0.5) * beta;
}

template <class T>
EAGRE_SCALAR T smooth_l1_grad(T grad, T input, T target, T beta) {
  const T difference = input - target;
  return std::fabs(difference) < beta ? grad * difference / beta : l1_grad(grad, input, target);
}

template <class T>
EAGRE_SCALAR T huber_each(T input, T target, T delta) {
  const T size = std::fabs(input - target);
  return size <= delta ? T(0.5) * size * size : delta * (size - T(0.5) * delta);
}

template <class T>
EAGRE_SCALAR T huber_grad(T grad, T input, T target, T delta) {
  const T difference = input - target;
  const T below = difference < -delta ? -grad * delta : grad * difference;
  return difference > delta ? grad * delta : below;
}

}  // namespace eagre::scalar
