// expm1: e^x - 1 without loss for small x.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

// Below kMin the result is -1, above kMax infinite.
template <class T>
struct Expm1Range;
template <>
struct Expm1Range<float> {
  static constexpr float kMin = -20.0F, kMax = 88.9F;
};
template <>
struct Expm1Range<double> {
  static constexpr double kMin = -40.0, kMax = 709.9;
};

template <class T>
EAGRE_SCALAR T expm1(T input) {
  using Range = Expm1Range<T>;
  const T below = input > Range::kMax ? Range::kMax : input;
  const ExpParts<T> parts = exp_parts(below < Range::kMin ? Range::kMin : below);
  // Half of the power: the largest results have an exponent that is one too high.
  const T half = power_of_two<T>(parts.whole - 1);
  const T result = (parts.rest * half + (half - T(0.5))) * 2;
  return std::fabs(input) < T(1e-20) ? input : result;
}

// Near 0 the real part e^x cos(y) - 1 is made of terms that are as small as it is.
template <class T>
EAGRE_SCALAR Complex<T> expm1(Complex<T> input) {
  const WideComplex z = widen(input), power = wide_exp(z);
  const double x = real_part(z), y = imaginary_part(z);
  const double sine = std::sin(y / 2);
  const double near = std::expm1(x) * std::cos(y) - 2 * sine * sine;
  const double real = std::fabs(x) > 1 ? real_part(power) - 1 : near;
  return {static_cast<T>(real), static_cast<T>(imaginary_part(power))};
}

}  // namespace eagre::scalar
