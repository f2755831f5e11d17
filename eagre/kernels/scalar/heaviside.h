// heaviside: 0 below 0, 1 above, and the second number at 0.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T heaviside(T input, T values) {
  return input == T(0) ? values : static_cast<T>(input > T(0));
}

}  // namespace eagre::scalar
