// fmin: the smaller of two; of a NaN and a number, the number.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T fmin(T input, T other) {
  return other < input || input != input ? other : input;
}

}  // namespace eagre::scalar
