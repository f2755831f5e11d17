// frac: what stands after the point, with the sign of the input.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T frac(T input) {
  return input - std::trunc(input);
}

}  // namespace eagre::scalar
