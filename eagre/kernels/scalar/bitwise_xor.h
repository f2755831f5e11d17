// bitwise_xor: input ^ other, bit by bit.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T bitwise_xor(T input, T other) {
  return static_cast<T>(input ^ other);
}

}  // namespace eagre::scalar
