// bitwise_left_shift: input * 2^other, wrapped around; 0 for a count that no type has room for.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T bitwise_left_shift(T input, T other) {
  constexpr T kBits = sizeof(T) * 8;
  const bool beyond = other < 0 || other >= kBits;
  return beyond ? T(0) : static_cast<T>(input << (beyond ? T(0) : other));
}

}  // namespace eagre::scalar
