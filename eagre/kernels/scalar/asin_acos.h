// asin and acos: the angles whose sine or cosine is given.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/pi.h>
#include <eagre/kernels/scalar/polynomial.h>

namespace eagre::scalar {

// asin(s) = s + s * tail for 0 <= s <= 1/2; larger arguments are brought there by a square root.

EAGRE_SCALAR float asin_tail(float z) {
  return z *
         polynomial(z, 0.166667536F, 0.0749524385F, 0.0454769284F, 0.0241482407F, 0.0422177799F);
}
EAGRE_SCALAR double asin_tail(double z) {
  return z * polynomial(z, 0.16666666666666763, 0.0749999999997027, 0.04464285717511505,
                        0.030381942683870775, 0.022372215653605892, 0.017351600206077747,
                        0.013980960141230236, 0.011397786281577267, 0.01078647355928386,
                        0.0036832437241887685, 0.021763026573398615, -0.02107664821330671,
                        0.032676501821533);
}

// Above 1/2, asin(size) = pi/2 - 2 * asin(s) with s = sqrt((1 - size) / 2). Beyond 1 the root is
// NaN, and so is all that follows.
template <class T>
struct AsinParts {
  T s, tail;  // tail is already multiplied by s
};

template <class T>
EAGRE_SCALAR AsinParts<T> asin_parts(T size) {
  const T z = size > T(0.5) ? (1 - size) * T(0.5) : size * size;
  const T s = size > T(0.5) ? std::sqrt(z) : size;
  return {s, s * asin_tail(z)};
}

// asin: the angle whose sine is given.
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
  return narrow<T>(wide_asin(widen(input)));
}

// acos: the angle whose cosine is given.
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
  return narrow<T>(wide_acos(widen(input)));
}

}  // namespace eagre::scalar
