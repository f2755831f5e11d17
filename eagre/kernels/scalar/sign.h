// sign: 1, 0 or -1; 0 for NaN.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T sign(T input) {
  return static_cast<T>((input > T(0)) - (input < T(0)));
}

}  // namespace eagre::scalar
