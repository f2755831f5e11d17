// rsqrt: 1 / sqrt(input).
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T rsqrt(T input) {
  return 1 / std::sqrt(input);
}

}  // namespace eagre::scalar
