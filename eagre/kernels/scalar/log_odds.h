// log_odds: log(p / (1 - p)), what logit computes.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T log_odds(T input) {
  return std::log(input / (1 - input));
}

}  // namespace eagre::scalar
