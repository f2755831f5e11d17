// bitwise_right_shift: input / 2^other rounded down; a count beyond the type leaves the sign.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T bitwise_right_shift(T input, T other) {
  constexpr T kLast = sizeof(T) * 8 - 1;
  return static_cast<T>(input >> (other < 0 || other > kLast ? kLast : other));
}

}  // namespace eagre::scalar
