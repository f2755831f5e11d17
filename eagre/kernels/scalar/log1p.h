// log1p: log(1 + x) without loss for small x.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/log.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T log1p(T input) {
  const T sum = 1 + input;
  const LogParts<T> parts = log_parts(sum);
  // What rounding the sum lost, scaled as the sum is; where nothing is scaled, x is the fraction.
  const bool small = parts.exponent == 0;
  const T lost = input > 1 ? 1 - (sum - input) : input - (sum - 1);
  const T fraction = small ? input : parts.fraction;
  const T correction = small ? T(0) : lost / sum;
  const T tail = log_tail(fraction) + (parts.exponent * LogTwo<T>::kLow + correction);
  const T result = parts.exponent * LogTwo<T>::kHigh + (fraction + tail);
  const T special = log_or_special(sum, result);
  return std::fabs(input) < T(1e-20) ? input : special;
}

}  // namespace eagre::scalar
