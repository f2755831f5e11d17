// gelu: x * P(X < x) for a normal X.
#pragma once

#include <eagre/kernels/scalar/gelu_parts.h>
#include <eagre/kernels/scalar/guarded.h>

namespace eagre::scalar {

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

}  // namespace eagre::scalar
