// clamp: the input, but not below min, and not above max, which counts more; NaN if one of them is.
#pragma once

#include <eagre/kernels/scalar/maximum.h>
#include <eagre/kernels/scalar/minimum.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T clamp(T input, T min, T max) {
  return minimum(maximum(input, min), max);
}

}  // namespace eagre::scalar
