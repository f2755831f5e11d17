// isnan: not a number; a complex number if one of its parts is none.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR bool isnan(T input) {
  if constexpr (kIsComplex<T>) {
    return input.real != input.real || input.imag != input.imag;
  } else {
    return input != input;  // never true of integers
  }
}

}  // namespace eagre::scalar
