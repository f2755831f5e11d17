// logaddexp and logaddexp2: sums of exponentials, given and taken as logarithms.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/host_device.h>
#include <eagre/kernels/scalar/log1p.h>

namespace eagre::scalar {

// logaddexp: log(e^input + e^other) without overflow.
template <class T>
EAGRE_SCALAR T logaddexp(T input, T other) {
  if (input == other && std::isinf(input)) return input;  // which have no distance
  const T larger = input > other ? input : other;
  return larger + std::log1p(std::exp(-std::fabs(input - other)));
}

// The imaginary part stays near those of the operands: it is not brought back to -pi … pi.
template <class T>
EAGRE_SCALAR Complex<T> logaddexp(Complex<T> input, Complex<T> other) {
  const Complex<double> a{static_cast<double>(input.real), static_cast<double>(input.imag)};
  const Complex<double> b{static_cast<double>(other.real), static_cast<double>(other.imag)};
  if (std::isnan(a.real + a.imag + b.real + b.imag)) {
    const T nan = static_cast<T>(a.real + a.imag + b.real + b.imag);
    return {nan, nan};
  }
  const bool first = a.real > b.real;
  const Complex<double> larger = first ? a : b, smaller = first ? b : a;
  if (std::isinf(larger.real)) {
    // Of two infinities of one sign the directions must agree, unless both are 0.
    const bool open = smaller.real == larger.real && larger.real > 0 && a.imag != b.imag;
    return {static_cast<T>(larger.real), static_cast<T>(open ? std::nan("") : larger.imag)};
  }
  const Complex<double> distance{smaller.real - larger.real, smaller.imag - larger.imag};
  const Complex<double> share = std::isinf(distance.real) ? Complex<double>(0) : exp(distance);
  const Complex<double> rest = log1p(share);
  return {static_cast<T>(larger.real + rest.real), static_cast<T>(larger.imag + rest.imag)};
}

// logaddexp2: log2(2^input + 2^other) without overflow.
template <class T>
EAGRE_SCALAR T logaddexp2(T input, T other) {
  if (input == other && std::isinf(input)) return input;  // which have no distance
  const T larger = input > other ? input : other;
  constexpr T kInverseLogTwo = static_cast<T>(1.4426950408889634);
  return larger + std::log1p(std::exp2(-std::fabs(input - other))) * kInverseLogTwo;
}

}  // namespace eagre::scalar
