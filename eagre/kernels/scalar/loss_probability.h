// Losses of probabilities.
#pragma once

#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/log.h>

namespace eagre::scalar {

// kl_div_each: target * (log(target) - input); a target of 0 counts nothing.
template <class T>
EAGRE_SCALAR T kl_div_each(T input, T target) {
  const T product = target * log(target);
  return (target == 0 ? T(0) : product) - target * input;
}

template <class T>
EAGRE_SCALAR T kl_div_of_logs(T input, T target) {
  return exp(target) * (target - input);
}

}  // namespace eagre::scalar
