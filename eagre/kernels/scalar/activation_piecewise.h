// Activations made of straight pieces and parabolas, and their derivatives. Where a piece ends, the
// derivative is that of the constant or lower piece, as in PyTorch; NaN stays NaN.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// `input` within limits.
template <class T>
EAGRE_SCALAR T within_limits(T input, T low, T high) {
  const T above = input < low ? low : input;
  return above > high ? high : above;
}

// leaky_relu: input where it is positive, else input * slope.
template <class T>
EAGRE_SCALAR T leaky_relu(T input, T slope) {
  return input > 0 ? input : input * slope;
}

template <class T>
EAGRE_SCALAR T leaky_relu_grad(T grad, T input, T slope) {
  return input > 0 ? grad : grad * slope;
}

// prelu: leaky_relu with a slope for each element.
template <class T>
EAGRE_SCALAR T prelu(T input, T weight) {
  return leaky_relu(input, weight);
}

template <class T>
EAGRE_SCALAR T prelu_grad(T grad, T input, T weight) {
  return leaky_relu_grad(grad, input, weight);
}

// The gradient of prelu for its weight.
template <class T>
EAGRE_SCALAR T prelu_weight_grad(T grad, T input) {
  return input > 0 ? T(0) : grad * input;
}

template <class T>
EAGRE_SCALAR T hardtanh(T input, T min_val, T max_val) {
  return within_limits(input, min_val, max_val);
}

// hardtanh_grad: grad between the limits, else 0.
template <class T>
EAGRE_SCALAR T hardtanh_grad(T grad, T input, T min_val, T max_val) {
  // Not `&&`, which is a branch.
  const T above = input > min_val ? grad : T(0);
  return input < max_val ? above : T(0);
}

template <class T>
EAGRE_SCALAR T relu6(T input) {
  return within_limits(input, T(0), T(6));
}

// relu6_grad: from the result.
template <class T>
EAGRE_SCALAR T relu6_grad(T grad, T output) {
  return hardtanh_grad(grad, output, T(0), T(6));
}

// hardsigmoid: a line from 0 at -3 to 1 at 3.
template <class T>
EAGRE_SCALAR T hardsigmoid(T input) {
  return within_limits(input + 3, T(0), T(6)) / 6;
}

template <class T>
EAGRE_SCALAR T hardsigmoid_grad(T grad, T input) {
  return hardtanh_grad(grad / 6, input, T(-3), T(3));
}

// hardswish: input * hardsigmoid(input).
template <class T>
EAGRE_SCALAR T hardswish(T input) {
  return input * within_limits(input + 3, T(0), T(6)) / 6;
}

template <class T>
EAGRE_SCALAR T hardswish_grad(T grad, T input) {
  const T between = input <= -3 ? T(0) : grad * (input / 3 + T(0.5));
  return input < 3 ? between : grad;
}

// hardshrink: 0 where input is within lambd of 0.
template <class T>
EAGRE_SCALAR T hardshrink(T input, T lambd) {
  const T above = input >= -lambd ? T(0) : input;
  return input <= lambd ? above : input;
}

// softshrink: what input is beyond lambd, in its direction.
template <class T>
EAGRE_SCALAR T softshrink(T input, T lambd) {
  const T below = input < -lambd ? input + lambd : input * 0;  // NaN stays
  return input > lambd ? input - lambd : below;
}

// The gradient of both.
template <class T>
EAGRE_SCALAR T shrink_grad(T grad, T input, T lambd) {
  const T below = input < -lambd ? grad : T(0);
  return input > lambd ? grad : below;
}

// threshold: `value` where input is not above the threshold.
template <class T>
EAGRE_SCALAR T threshold(T input, T limit, T value) {
  return input <= limit ? value : input;
}

template <class T>
EAGRE_SCALAR T threshold_grad(T grad, T input, T limit) {
  return input <= limit ? T(0) : grad;
}

}  // namespace eagre::scalar
