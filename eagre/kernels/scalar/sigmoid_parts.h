// x / (1 + e^-y) and its relatives: quotients that neither overflow nor lose denormal results.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

// factor / (1 + e^-(x + low)), as factor * e^-|x| / (1 + e^-|x|) where x is negative. The factor is
// multiplied in before the power of two: the power alone may be denormal.
template <class T>
EAGRE_SCALAR T scaled_sigmoid(T factor, T x, T low = 0) {
  const bool negative = x < 0;
  const ExpParts<T> parts =
      exp_parts(clamp_exponent(-std::fabs(x)), negative ? low : -low);
  const T power = 1 + parts.rest;
  const T decay = scale_by_power(power, parts.whole);
  const T above = negative ? scale_by_power(power * factor, parts.whole) : factor;
  return above / (1 + decay);
}

}  // namespace eagre::scalar
