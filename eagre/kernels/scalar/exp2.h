// Powers of 2.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>

namespace eagre::scalar {

// exp2: 2 to the power of the input.
template <class T>
EAGRE_SCALAR T exp2(T input) {
  return std::exp2(input);
}

template <class T>
EAGRE_SCALAR Complex<T> exp2(Complex<T> input) {
  constexpr double kLogTwo = 0.6931471805599453;
  const Complex<double> scaled{static_cast<double>(input.real) * kLogTwo,
                               static_cast<double>(input.imag) * kLogTwo};
  return narrow<T>(wide_exp(widen(scaled)));
}

// ldexp: input * 2^other. In double, where 2^other may be larger than a float.
EAGRE_SCALAR float ldexp(float input, float other) {
  return static_cast<float>(double{input} * std::exp2(double{other}));
}
// In two steps: the power may leave the range although the product does not.
EAGRE_SCALAR double ldexp(double input, double other) {
  const double half = std::trunc(other / 2);
  return input * std::exp2(half) * std::exp2(other - half);
}

template <class T>
EAGRE_SCALAR Complex<T> ldexp(Complex<T> input, Complex<T> other) {
  return narrow<T>(widen(input) * widen(exp2(Complex<double>{static_cast<double>(other.real),
                                                             static_cast<double>(other.imag)})));
}

}  // namespace eagre::scalar
