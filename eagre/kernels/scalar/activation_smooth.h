// Activations with exponentials, and their derivatives.
#pragma once

#include <cmath>

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/expm1.h>
#include <eagre/kernels/scalar/sigmoid.h>
#include <eagre/kernels/scalar/softplus.h>
#include <eagre/kernels/scalar/tanh.h>

namespace eagre::scalar {

// elu: input where it is positive, else alpha * (e^input - 1).
template <class T>
EAGRE_SCALAR T elu(T input, T alpha) {
  // Positive numbers would overflow, and cost more, in an exponential that is not asked for.
  const T below = alpha * expm1(input > 0 ? T(0) : input);
  return input > 0 ? input : below;
}

template <class T>
EAGRE_SCALAR T elu_grad(T grad, T input, T alpha) {
  const T below = grad * alpha * exp(input > 0 ? T(0) : input);
  return input > 0 ? grad : below;
}

// celu: elu of input / alpha, times alpha: its derivative has no step.
template <class T>
EAGRE_SCALAR T celu(T input, T alpha) {
  const T below = alpha * expm1(input > 0 ? T(0) : input / alpha);
  return input > 0 ? input : below;
}

template <class T>
EAGRE_SCALAR T celu_grad(T grad, T input, T alpha) {
  const T below = grad * exp(input > 0 ? T(0) : input / alpha);
  return input > 0 ? grad : below;
}

// selu: elu with the two constants of "Self-Normalizing Neural Networks".
template <class T>
struct Selu {
  static constexpr T kAlpha = T(1.6732632423543772848170429916717);
  static constexpr T kScale = T(1.0507009873554804934193349852946);
};

template <class T>
EAGRE_SCALAR T selu(T input) {
  return Selu<T>::kScale * elu(input, Selu<T>::kAlpha);
}

template <class T>
EAGRE_SCALAR T selu_grad(T grad, T input) {
  return Selu<T>::kScale * elu_grad(grad, input, Selu<T>::kAlpha);
}

// tanhshrink: input - tanh(input).
template <class T>
EAGRE_SCALAR T tanhshrink(T input) {
  return input - tanh(input);
}

template <class T>
EAGRE_SCALAR T tanhshrink_grad(T grad, T input) {
  const T height = tanh(input);
  return grad * (height * height);
}

template <class T>
EAGRE_SCALAR Complex<T> tanhshrink(Complex<T> input) {
  return input - tanh(input);
}

template <class T>
EAGRE_SCALAR Complex<T> tanhshrink_grad(Complex<T> grad, Complex<T> input) {
  const Complex<T> height = tanh(input);
  return grad * (height * height);
}

// log_sigmoid: log(1 / (1 + e^-x)).
template <class T>
EAGRE_SCALAR T log_sigmoid(T input) {
  return (input < 0 ? input : T(0)) - log_of_decay(std::fabs(input));
}

template <class T>
EAGRE_SCALAR T log_sigmoid_grad(T grad, T input) {
  return scaled_sigmoid(grad, -input);
}

// softsign: input / (1 + |input|).
template <class T>
EAGRE_SCALAR T softsign(T input) {
  return input / (1 + std::fabs(input));
}

template <class T>
EAGRE_SCALAR T softsign_grad(T grad, T input) {
  const T size = 1 + std::fabs(input);
  return grad / (size * size);
}

// mish: input * tanh(log(1 + e^input)). With e = e^-|x| the hyperbolic tangent is a quotient:
// (1 + 2e) / (1 + 2e + 2e^2) for positive x, e (e + 2) / (e (e + 2) + 2) for others.
template <class T>
struct MishParts {
  T numerator, rest, denominator;  // rest: the denominator without the numerator
};

template <class T>
EAGRE_SCALAR MishParts<T> mish_parts(T input) {
  const T e = exp(-std::fabs(input));
  const bool is_positive = input > 0;
  const T numerator = is_positive ? 1 + 2 * e : e * (e + 2);
  const T rest = is_positive ? 2 * (e * e) : T(2);
  return {numerator, rest, numerator + rest};
}

template <class T>
EAGRE_SCALAR T mish(T input) {
  const MishParts<T> parts = mish_parts(input);
  return input * (parts.numerator / parts.denominator);
}

// mish_grad: grad * (w + x * s * (1 - w^2)) with w = tanh(log(1 + e^x)) and s = sigmoid(x).
template <class T>
EAGRE_SCALAR T mish_grad(T grad, T input) {
  const MishParts<T> parts = mish_parts(input);
  const T w = parts.numerator / parts.denominator;
  const T bell = (1 + w) * (parts.rest / parts.denominator);
  return grad * (w + input * (sigmoid(input) * bell));
}

}  // namespace eagre::scalar
