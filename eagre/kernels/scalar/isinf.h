// isinf: infinite, of either sign; a complex number if one of its parts is.
#pragma once

#include <limits>

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR bool isinf(T input) {
  if constexpr (kIsComplex<T>) {
    return isinf(input.real) || isinf(input.imag);
  } else if constexpr (std::numeric_limits<T>::has_infinity) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    return input == kInfinity || input == -kInfinity;
  } else {
    return false;
  }
}

}  // namespace eagre::scalar
