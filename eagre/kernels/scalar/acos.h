// acos: the angle whose cosine is given.
#pragma once

#include <eagre/kernels/scalar/asin_parts.h>
#include <eagre/kernels/scalar/complex_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T acos(T input) {
  using Half = HalfPi<T>;
  const T size = std::fabs(input);
  const AsinParts<T> parts = asin_parts(size);
  const T s = std::copysign(parts.s, input), tail = std::copysign(parts.tail, input);
  const T near = (Half::kHigh - s) - (tail - Half::kLow);
  const T far = input < 0 ? (Pi<T>::kHigh - 2 * parts.s) - (2 * parts.tail - Pi<T>::kLow)
                          : 2 * (parts.s + parts.tail);
  return size > T(0.5) ? far : near;
}

template <class T>
EAGRE_SCALAR Complex<T> acos(Complex<T> input) {
  return narrow<T>(__builtin_cacos(widen(input)));
}

}  // namespace eagre::scalar
