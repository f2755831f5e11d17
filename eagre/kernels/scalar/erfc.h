// erfc: 1 - erf(x), exact also where that is small.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T erfc(T input) {
  return std::erfc(input);
}

}  // namespace eagre::scalar
