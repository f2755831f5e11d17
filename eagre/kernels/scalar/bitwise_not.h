// bitwise_not: every bit the other way round; of bool, not.
#pragma once

#include <type_traits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T bitwise_not(T input) {
  if constexpr (std::is_same_v<T, bool>) {
    return !input;
  } else {
    return static_cast<T>(~input);
  }
}

}  // namespace eagre::scalar
