// relu: input where it is positive, else 0; NaN stays.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T relu(T input) {
  return input < T(0) ? T(0) : input;
}

}  // namespace eagre::scalar
