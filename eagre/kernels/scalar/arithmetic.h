// Sums, products, signs and similar, of one element. Without <cmath>: these kernels are many.
#pragma once

#include <limits>
#include <type_traits>

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// add: input + alpha * other.
template <class T>
EAGRE_SCALAR T add(T input, T other, T alpha) {
  return static_cast<T>(input + alpha * other);
}

// sub: input - alpha * other.
template <class T>
EAGRE_SCALAR T sub(T input, T other, T alpha) {
  return static_cast<T>(input - alpha * other);
}

// rsub: other - alpha * input.
template <class T>
EAGRE_SCALAR T rsub(T input, T other, T alpha) {
  return static_cast<T>(other - alpha * input);
}

// mul: input * other.
template <class T>
EAGRE_SCALAR T mul(T input, T other) {
  return static_cast<T>(input * other);
}

// div: input / other.
template <class T>
EAGRE_SCALAR T div(T input, T other) {
  return input / other;
}

// neg: -input.
template <class T>
EAGRE_SCALAR T neg(T input) {
  return static_cast<T>(-input);
}

// reciprocal: 1 / input.
template <class T>
EAGRE_SCALAR T reciprocal(T input) {
  return 1 / input;
}

// square: input * input.
template <class T>
EAGRE_SCALAR T square(T input) {
  return static_cast<T>(input * input);
}

// gcd: the greatest common divisor, which is not negative.
//
// By sizes without sign, which the lowest number has too; its own is the one that wraps around.
template <class T>
EAGRE_SCALAR std::make_unsigned_t<T> size_of_integer(T value) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto bits = static_cast<Unsigned>(value);
  return value < 0 ? static_cast<Unsigned>(Unsigned{0} - bits) : bits;
}

template <class T>
EAGRE_SCALAR T gcd(T input, T other) {
  auto a = size_of_integer(input), b = size_of_integer(other);
  while (b != 0) {
    const auto rest = static_cast<decltype(a)>(a % b);
    a = b;
    b = rest;
  }
  return static_cast<T>(a);
}

// lcm: the least common multiple, which is not negative unless it wraps around.
template <class T>
EAGRE_SCALAR T lcm(T input, T other) {
  const auto divisor = size_of_integer(gcd(input, other));
  if (divisor == 0) return T(0);
  const auto a = size_of_integer(input), b = size_of_integer(other);
  return static_cast<T>(static_cast<decltype(a)>(a / divisor * b));
}

// lerp: from input to end by the share weight.
//
// From the nearer end, so that both ends are met exactly.
template <class T>
EAGRE_SCALAR T lerp(T input, T end, T weight) {
  const T way = end - input;
  return weight < T(0.5) && weight > T(-0.5) ? input + weight * way : end - way * (1 - weight);
}

template <class T>
EAGRE_SCALAR Complex<T> lerp(Complex<T> input, Complex<T> end, Complex<T> weight) {
  const Complex<T> way = end - input;
  const bool near = weight.real * weight.real + weight.imag * weight.imag < T(0.25);
  return near ? input + weight * way : end - way * (Complex<T>(1) - weight);
}

// addcmul: input + value * tensor1 * tensor2.
template <class T>
EAGRE_SCALAR T addcmul(T input, T tensor1, T tensor2, T value) {
  return static_cast<T>(input + value * tensor1 * tensor2);
}

// addcdiv: input + value * tensor1 / tensor2.
template <class T>
EAGRE_SCALAR T addcdiv(T input, T tensor1, T tensor2, T value) {
  return input + value * tensor1 / tensor2;
}

// sign: 1, 0 or -1; 0 for NaN.
template <class T>
EAGRE_SCALAR T sign(T input) {
  return static_cast<T>((input > T(0)) - (input < T(0)));
}

// heaviside: 0 below 0, 1 above, and the second number at 0.
template <class T>
EAGRE_SCALAR T heaviside(T input, T values) {
  return input == T(0) ? values : static_cast<T>(input > T(0));
}

// replace_special: the number, or what stands for NaN and the infinities. Of complex ones each
// part.
template <class T>
EAGRE_SCALAR T replace_special(T input, T nan, T posinf, T neginf) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const T finite = input == kInfinity ? posinf : input == -kInfinity ? neginf : input;
  return input != input ? nan : finite;
}

template <class T>
EAGRE_SCALAR Complex<T> replace_special(Complex<T> input, Complex<T> nan, Complex<T> posinf,
                                        Complex<T> neginf) {
  return {replace_special(input.real, nan.real, posinf.real, neginf.real),
          replace_special(input.imag, nan.real, posinf.real, neginf.real)};
}

}  // namespace eagre::scalar
