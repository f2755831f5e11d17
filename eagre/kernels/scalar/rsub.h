// rsub: other - alpha * input.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T rsub(T input, T other, T alpha) {
  return static_cast<T>(other - alpha * input);
}

}  // namespace eagre::scalar
