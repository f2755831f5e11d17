// xlogy: input * log(other), and 0 where the input is.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T xlogy(T input, T other) {
  if (std::isnan(other)) return std::numeric_limits<T>::quiet_NaN();
  return input == 0 ? T(0) : input * std::log(other);
}

}  // namespace eagre::scalar
