// The normal distribution: what gelu and its derivative are made of.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/erfc_parts.h>
#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

// Beyond this size the tail is 0 in any product with a number of that size.
template <class T>
constexpr T kNormalLimit = sizeof(T) == 4 ? T(15) : T(39);

// factor * P(X < -|x|) for a normal X, with the last places of the smallest results: the factor is
// multiplied in before the power of two, and the rounding of the square is made good.
template <class T>
EAGRE_SCALAR T scaled_normal_tail(T factor, T x) {
  constexpr T kRootHalf = T(0.70710678118654752440);
  constexpr T kLimit = kNormalLimit<T>;
  const T absolute = std::fabs(x);
  const T size = absolute > kLimit ? kLimit : absolute;
  const Square<T> square = exact_square(size);
  const ExpParts<T> parts = exp_parts(T(-0.5) * square.high, T(-0.5) * square.low);
  const T tail = (1 + parts.rest) * (T(0.5) * scaled_erfc(size * kRootHalf));
  return scale_by_power(factor * tail, parts.whole);
}

}  // namespace eagre::scalar
