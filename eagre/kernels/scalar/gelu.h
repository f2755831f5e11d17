// gelu and its derivative.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/erfc_parts.h>
#include <eagre/kernels/scalar/exp_parts.h>
#include <eagre/kernels/scalar/guarded.h>

namespace eagre::scalar {

// The normal distribution: what gelu and its derivative are made of.

// Beyond this size the tail is 0, also in a product with a number of that size.
template <class T>
constexpr T kNormalLimit = sizeof(T) == 4 ? T(14.5) : T(38.6);

// P(X > x) * e^(x * x / 2) for a normal X and 0 <= x <= kNormalLimit.
EAGRE_SCALAR float normal_ratio(float x) {
  const float q = 1 / (1 + 0.35F * x);
  return q * polynomial(x * q, 0.49999997F, -0.223941192F, 0.0319780335F, 0.00440062443F,
                        -0.000962854945F, -8.46021067e-05F, -0.000117686774F, 5.73994294e-05F,
                        -6.56462089e-06F);
}
EAGRE_SCALAR double normal_ratio(double x) { return 0.5 * scaled_erfc(x * 0.70710678118654752440); }

// P(X > x) / Lift::kDrop for 0 <= x <= kNormalLimit.
template <class T>
EAGRE_SCALAR T lifted_normal_tail(T x) {
  const Square<T> square = exact_square(x);
  return lifted_exp(T(-0.5) * square.high, T(-0.5) * square.low) * normal_ratio(x);
}

// gelu: x * P(X < x) for a normal X.
//
// Good to the last places everywhere, also of results near 0.
template <class T>
EAGRE_SCALAR T exact_gelu(T input) {
  const T absolute = std::fabs(input);
  const T size = absolute > kNormalLimit<T> ? kNormalLimit<T> : absolute;
  const T tail = lifted_normal_tail(size);
  const T below = -size * tail * Lift<T>::kDrop;
  return input < 0 ? below : input * (1 - tail * Lift<T>::kDrop);
}

EAGRE_SCALAR double gelu(double input) { return exact_gelu(input); }

// Half as many operations: P(X > x) = 2^-(1 + x * g(x)) with a polynomial g. The rounding of the
// exponent is all that is lost, 26 units in the last place at -4; below that it is not used.
EAGRE_SCALAR auto gelu(float input) {
  constexpr float kRound = FloatBits<float>::kRound + FloatBits<float>::kBias - 1;
  const float absolute = std::fabs(input);
  const float size = absolute > 5.6F ? 5.6F : absolute;
  const float exponent =
      size * polynomial(size, -1.15110517F, -0.459212482F, -0.0524636023F, 0.0069724326F,
                        -1.26883042e-05F, -0.000278456893F, 7.78027825e-05F, -1.15361372e-05F,
                        9.47982699e-07F, -3.39155797e-08F);
  const float shifted = exponent + kRound;
  const float r = exponent - (shifted - kRound);
  const float power = 1 + r * polynomial(r, 0.693147242F, 0.24022235F, 0.0555030853F,
                                         0.00967187528F, 0.00134072592F);
  const float tail = power * power_from_low_bits(shifted);
  const float value = input * (input < 0 ? tail : 1 - tail);
  return EAGRE_GUARDED(float, exact_gelu<float>, value, input < -4, input);
}

// gelu_grad: grad * (P(X < x) + x * p(x)) for a normal X and its density p.
template <class T>
EAGRE_SCALAR T gelu_grad(T grad, T input) {
  constexpr T kInverseRootTwoPi = T(0.39894228040143267794);
  const T absolute = std::fabs(input);
  const T size = absolute > kNormalLimit<T> ? kNormalLimit<T> : absolute;
  const T power = lifted_exp(T(-0.5) * (size * size)) * Lift<T>::kDrop;
  const T tail = power * normal_ratio(size), slope = power * (size * kInverseRootTwoPi);
  return grad * (input < 0 ? tail - slope : (1 - tail) + slope);
}

}  // namespace eagre::scalar
