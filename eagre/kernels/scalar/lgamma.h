// lgamma: the logarithm of the size of the gamma function.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// lgamma() itself writes the sign to a variable that all threads share.
EAGRE_SCALAR float lgamma(float input) {
  int sign = 0;
  return ::lgammaf_r(input, &sign);
}
EAGRE_SCALAR double lgamma(double input) {
  int sign = 0;
  return ::lgamma_r(input, &sign);
}

}  // namespace eagre::scalar
