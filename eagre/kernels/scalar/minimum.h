// minimum: the smaller of two; NaN if one of them is.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T minimum(T input, T other) {
  // Only NaN differs from itself; comparisons with it are false, so the other way round is served.
  return input < other || input != input ? input : other;
}

}  // namespace eagre::scalar
