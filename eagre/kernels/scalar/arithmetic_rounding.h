// Rounding, sizes and signs of one number, and its neighbours.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <eagre/core/half.h>
#include <eagre/kernels/scalar/arithmetic.h>
#include <eagre/kernels/scalar/complex_functions.h>

namespace eagre::scalar {

// ceil: the next integer upwards; integers as they are.
template <class T>
EAGRE_SCALAR T ceil(T input) {
  if constexpr (std::is_floating_point_v<T>) return std::ceil(input);
  return input;
}

// floor: the next integer downwards; integers as they are.
template <class T>
EAGRE_SCALAR T floor(T input) {
  if constexpr (std::is_floating_point_v<T>) return std::floor(input);
  return input;
}

// round: the nearest integer, ties to the even one; integers as they are.
template <class T>
EAGRE_SCALAR T round(T input) {
  // In the rounding mode that programs start with.
  if constexpr (std::is_floating_point_v<T>) return std::rint(input);
  return input;
}

// trunc: the next integer towards 0; integers as they are.
template <class T>
EAGRE_SCALAR T trunc(T input) {
  if constexpr (std::is_floating_point_v<T>) return std::trunc(input);
  return input;
}

// frac: what stands after the point, with the sign of the input.
template <class T>
EAGRE_SCALAR T frac(T input) {
  return input - std::trunc(input);
}

// abs: the size; the sign bit of floats goes, also of -0 and NaN.
template <class T>
EAGRE_SCALAR T abs(T input) {
  if constexpr (std::is_floating_point_v<T>) return std::fabs(input);
  return input < 0 ? static_cast<T>(-input) : input;
}

template <class T>
EAGRE_SCALAR T abs(Complex<T> input) {
  return static_cast<T>(wide_abs(widen(input)));
}

// sgn: the sign; of a complex number the one of size 1 in its direction, and 0 of 0.
template <class T>
EAGRE_SCALAR T sgn(T input) {
  return sign(input);
}

template <class T>
EAGRE_SCALAR Complex<T> sgn(Complex<T> input) {
  const T size = abs(input);
  return size == 0 ? Complex<T>(0) : Complex<T>(input.real / size, input.imag / size);
}

// signbit: is the sign set? Also that of -0 and of NaN.
template <class T>
EAGRE_SCALAR bool signbit(T input) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::signbit(input);
  } else if constexpr (std::is_signed_v<T>) {
    return input < 0;
  } else {
    return false;
  }
}

// copysign: the size of the first with the sign of the second.
template <class T>
EAGRE_SCALAR T copysign(T input, T other) {
  return std::copysign(input, other);
}

// nextafter: the next number of the type from the first towards the second.
EAGRE_SCALAR float nextafter(float input, float other) { return std::nextafter(input, other); }
EAGRE_SCALAR double nextafter(double input, double other) { return std::nextafter(input, other); }

// The two 16-bit types: away from 0 their bits grow by one, apart from the sign.
template <class T>
EAGRE_SCALAR T nextafter(T input, T other) {
  const auto from = static_cast<float>(input), to = static_cast<float>(other);
  if (from != from) return input;
  if (to != to || from == to) return other;
  T next;
  if (from == 0) {
    next.bits = static_cast<uint16_t>(to > 0 ? 0x0001 : 0x8001);
  } else {
    const bool grows = (to > from) == (from > 0);
    next.bits = static_cast<uint16_t>(input.bits + (grows ? 1 : -1));
  }
  return next;
}

}  // namespace eagre::scalar
