// softplus: log(1 + e^(beta * x)) / beta, and x itself where beta * x is above the threshold.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/log1p.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T softplus(T input, T beta, T threshold) {
  const T scaled = input * beta;
  const T soft = log1p(exp(-std::fabs(scaled)));
  const T sum = scaled < 0 ? soft : scaled + soft;
  return scaled > threshold ? input : sum / beta;
}

}  // namespace eagre::scalar
