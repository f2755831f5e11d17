// pow: input to the power other.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/log.h>

namespace eagre::scalar {

// Floats through the logarithm in double, whose last places are more than enough.
EAGRE_SCALAR float pow(float input, float other) {
  const float size = std::fabs(input);
  const auto power = static_cast<float>(exp(double{other} * log(double{size})));
  const bool whole = std::trunc(other) == other;
  const bool odd = whole && std::trunc(other * 0.5F) != other * 0.5F;
  const float known = other == 0 || size == 1 ? 1.0F : power;
  const float result = odd ? std::copysign(known, input) : known;
  // Roots of negative numbers, but not those of -0 and -inf; 1 to any power is 1, even to NaN.
  const bool undefined = input < 0 && size < std::numeric_limits<float>::infinity() && !whole;
  return undefined ? std::numeric_limits<float>::quiet_NaN() : result;
}
EAGRE_SCALAR double pow(double input, double other) { return std::pow(input, other); }

EAGRE_SCALAR bool pow(bool input, bool other) { return input || !other; }

// Integers wrap around. Of negative powers only those of 1 and -1 are integers; the rest are 0.
template <class T>
EAGRE_SCALAR T pow(T input, T other) {
  if (other < 0) {
    if (input == T(1)) return T(1);
    if (input == static_cast<T>(-1)) return other % 2 == 0 ? T(1) : static_cast<T>(-1);
    return T(0);
  }
  T result = 1;
  for (T square = input; other > 0; other = static_cast<T>(other >> 1)) {
    if ((other & 1) != 0) result = static_cast<T>(result * square);
    square = static_cast<T>(square * square);
  }
  return result;
}

// The library goes through the logarithm: powers of 0 and squares are exact without it.
template <class T>
EAGRE_SCALAR Complex<T> pow(Complex<T> input, Complex<T> other) {
  if (other == Complex<T>(0)) return {1, 0};
  if (other == Complex<T>(2)) return input * input;
  if (input == Complex<T>(0) && other.real > 0) return {0, 0};
  return narrow<T>(wide_pow(widen(input), widen(other)));
}

}  // namespace eagre::scalar
