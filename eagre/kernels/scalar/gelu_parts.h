// The normal distribution: what gelu and its derivative are made of.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/erfc_parts.h>
#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

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

}  // namespace eagre::scalar
