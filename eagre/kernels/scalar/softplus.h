// softplus and its derivative.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/exp_parts.h>
#include <eagre/kernels/scalar/log_parts.h>
#include <eagre/kernels/scalar/sigmoid.h>

namespace eagre::scalar {

// softplus: log(1 + e^(beta * x)) / beta, and x itself where beta * x is above the threshold.
//
// log(1 + e^-x) for x >= 0. The power is at most 1, so 1 + power is halved or left as it is.
template <class T>
EAGRE_SCALAR T log_of_decay(T x) {
  const T clamped = x > -ExpRange<T>::kMin ? -ExpRange<T>::kMin : x;
  const T power = lifted_exp(-clamped) * Lift<T>::kDrop;
  const bool halved = power > T(0.41421356237309505);
  const T fraction = halved ? (power - 1) * T(0.5) : power;
  const T tail = log_tail(fraction) + (halved ? LogTwo<T>::kLow : T(0));
  return (halved ? LogTwo<T>::kHigh : T(0)) + (fraction + tail);
}

template <class T>
EAGRE_SCALAR T softplus(T input, T beta, T threshold) {
  const T scaled = input * beta;
  const T soft = log_of_decay(std::fabs(scaled));
  const T sum = scaled < 0 ? soft : scaled + soft;
  return scaled > threshold ? input : sum / beta;
}

// softplus_grad: sigmoid(beta * x), and 1 above the threshold.
template <class T>
EAGRE_SCALAR T softplus_grad(T input, T beta, T threshold) {
  const T scaled = input * beta;
  return scaled > threshold ? T(1) : sigmoid(scaled);
}

}  // namespace eagre::scalar
