// What sinh and cosh share: e^x / 2, which stays finite a little longer than e^x.
#pragma once

#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T half_exp(T x) {
  const ExpParts<T> parts = exp_parts(clamp_exponent(x));
  return scale_by_power(1 + parts.rest, parts.whole - 1);
}

}  // namespace eagre::scalar
