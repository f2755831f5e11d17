// Sine and cosine.
#pragma once

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/trig_parts.h>

namespace eagre::scalar {

// sin: of the remainder, or its cosine in odd quadrants.
EAGRE_SCALAR float sin_large(float angle) { return static_cast<float>(std::sin(double{angle})); }
EAGRE_SCALAR double sin_large(double angle) { return std::sin(angle); }

template <class T>
EAGRE_SCALAR auto sin(T input) {
  const T size = std::fabs(input);
  const TrigParts<T> parts = trig_parts(size);
  const T sine = sin_remainder(parts.remainder), cosine = cos_remainder(parts.remainder);
  const T value = (parts.quadrant & 1) != 0 ? cosine : sine;
  const T result = std::copysign(T(1), input) * ((parts.quadrant & 2) != 0 ? -value : value);
  return EAGRE_GUARDED(T, (static_cast<T (*)(T)>(sin_large)), result, size > TrigRange<T>::kMax,
                       input);
}

template <class T>
EAGRE_SCALAR Complex<T> sin(Complex<T> input) {
  return narrow<T>(wide_sin(widen(input)));
}

// cos: of the remainder, or its sine in odd quadrants.
EAGRE_SCALAR float cos_large(float angle) { return static_cast<float>(std::cos(double{angle})); }
EAGRE_SCALAR double cos_large(double angle) { return std::cos(angle); }

template <class T>
EAGRE_SCALAR auto cos(T input) {
  const T size = std::fabs(input);
  const TrigParts<T> parts = trig_parts(size);
  const T sine = sin_remainder(parts.remainder), cosine = cos_remainder(parts.remainder);
  const T value = (parts.quadrant & 1) != 0 ? sine : cosine;
  const T result = ((parts.quadrant + 1) & 2) != 0 ? -value : value;
  return EAGRE_GUARDED(T, (static_cast<T (*)(T)>(cos_large)), result, size > TrigRange<T>::kMax,
                       input);
}

template <class T>
EAGRE_SCALAR Complex<T> cos(Complex<T> input) {
  return narrow<T>(wide_cos(widen(input)));
}

}  // namespace eagre::scalar
