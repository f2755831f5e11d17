// sigmoid: 1 / (1 + e^-x).
#pragma once

#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/sigmoid_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T sigmoid(T input) {
  return scaled_sigmoid(T(1), input);
}

template <class T>
EAGRE_SCALAR Complex<T> sigmoid(Complex<T> input) {
  return Complex<T>(1) / (Complex<T>(1) + exp(-input));
}

}  // namespace eagre::scalar
