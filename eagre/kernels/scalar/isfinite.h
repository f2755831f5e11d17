// isfinite: neither NaN nor infinite; a complex number if both parts are.
#pragma once

#include <limits>

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR bool isfinite(T input) {
  if constexpr (kIsComplex<T>) {
    return isfinite(input.real) && isfinite(input.imag);
  } else if constexpr (std::numeric_limits<T>::has_infinity) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    return input > -kInfinity && input < kInfinity;
  } else {
    return true;
  }
}

}  // namespace eagre::scalar
