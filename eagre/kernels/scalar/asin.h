// asin: the angle whose sine is given.
#pragma once

#include <eagre/kernels/scalar/asin_parts.h>
#include <eagre/kernels/scalar/complex_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T asin(T input) {
  using Half = HalfPi<T>;
  const T size = std::fabs(input);
  const AsinParts<T> parts = asin_parts(size);
  // pi/2 in halves: the differences are smaller, and so is what they lose.
  constexpr T kQuarter = Half::kHigh / 2;
  const T far = (kQuarter - 2 * parts.s) + (kQuarter - (2 * parts.tail - Half::kLow));
  return std::copysign(size > T(0.5) ? far : parts.s + parts.tail, input);
}

template <class T>
EAGRE_SCALAR Complex<T> asin(Complex<T> input) {
  return narrow<T>(__builtin_casin(widen(input)));
}

}  // namespace eagre::scalar
