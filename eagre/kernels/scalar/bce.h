// Binary cross entropy, of probabilities and of their logits.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/log.h>
#include <eagre/kernels/scalar/log1p.h>
#include <eagre/kernels/scalar/sigmoid.h>
#include <eagre/kernels/scalar/softplus.h>

namespace eagre::scalar {

// So that a probability of 0 for what happened is no infinite loss; NaN stays.
template <class T>
EAGRE_SCALAR T bounded_log(T logarithm) {
  return logarithm < -100 ? T(-100) : logarithm;
}

template <class T>
EAGRE_SCALAR T bce_each(T input, T target) {
  return (target - 1) * bounded_log(log1p(-input)) - target * bounded_log(log(input));
}

// bce_grad: grad * (input - target) / (input * (1 - input)), with a bounded divisor.
template <class T>
EAGRE_SCALAR T bce_grad(T grad, T input, T target) {
  const T divisor = (1 - input) * input;
  return grad * (input - target) / (divisor < T(1e-12) ? T(1e-12) : divisor);
}

template <class T>
EAGRE_SCALAR bool inside_unit(T input) {
  return input >= 0 && input <= 1;
}

// bce_logits_each: log(1 + e^x) - target * x.
template <class T>
EAGRE_SCALAR T bce_logits_each(T input, T target) {
  return (input < 0 ? T(0) : input) - input * target + log_of_decay(std::fabs(input));
}

template <class T>
EAGRE_SCALAR T bce_logits_grad(T grad, T input, T target) {
  return grad * (sigmoid(input) - target);
}

}  // namespace eagre::scalar
