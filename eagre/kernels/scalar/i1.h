// i1: the modified Bessel function of the first kind of order 1.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T i1(T input) {
  const double x = std::fabs(static_cast<double>(input));
  if (x != x) return input;
  // Beyond this it overflows, and the library would search in vain for where its series ends.
  const double size = x > 714 ? std::numeric_limits<double>::infinity() : std::cyl_bessel_i(1.0, x);
  return std::copysign(static_cast<T>(size), input);
}

}  // namespace eagre::scalar
