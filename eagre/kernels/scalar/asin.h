// asin: the angle whose sine is given.
#pragma once

#include <eagre/kernels/scalar/asin_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T asin(T input) {
  using Half = HalfPi<T>;
  const T size = std::fabs(input);
  const AsinParts<T> parts = asin_parts(size);
  const T far = (Half::kHigh - 2 * parts.s) - (2 * parts.tail - Half::kLow);
  return std::copysign(size > T(0.5) ? far : parts.s + parts.tail, input);
}

}  // namespace eagre::scalar
