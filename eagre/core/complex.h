// Complex numbers as they lie in memory: two reals. Arithmetic that host and device share.
#pragma once

#include <type_traits>

#ifdef __CUDACC__
#define EAGRE_COMPLEX __host__ __device__ constexpr
#else
#define EAGRE_COMPLEX constexpr
#endif

namespace eagre {

// Aligned as a whole, so that an element is one load.
template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T real = 0;
  T imag = 0;

  Complex() = default;
  EAGRE_COMPLEX Complex(T real_part, T imaginary_part = 0)  // NOLINT: reals are complex numbers
      : real(real_part), imag(imaginary_part) {}
  template <class Number>
  requires(std::is_arithmetic_v<Number> && !std::is_same_v<Number, T>) EAGRE_COMPLEX
      Complex(Number number)  // NOLINT
      : real(static_cast<T>(number)), imag(0) {}
  template <class Other>
  requires std::is_arithmetic_v<Other> EAGRE_COMPLEX explicit Complex(const Complex<Other>& other)
      : real(static_cast<T>(other.real)), imag(static_cast<T>(other.imag)) {}

  EAGRE_COMPLEX friend Complex operator+(Complex a, Complex b) {
    return {a.real + b.real, a.imag + b.imag};
  }
  EAGRE_COMPLEX friend Complex operator-(Complex a, Complex b) {
    return {a.real - b.real, a.imag - b.imag};
  }
  EAGRE_COMPLEX friend Complex operator-(Complex a) { return {-a.real, -a.imag}; }
  // Both parts are sums: of a sum beside a difference GCC makes fmaddsub where there is one, also
  // with -ffp-contract=off, and the bits would differ between instruction sets.
  EAGRE_COMPLEX friend Complex operator*(Complex a, Complex b) {
    return {a.real * b.real + (-a.imag) * b.imag, a.real * b.imag + a.imag * b.real};
  }
  // Scaled by the larger part of the divisor, so that its square does not overflow: where that is
  // the imaginary one, both numbers are turned by a right angle first.
  EAGRE_COMPLEX friend Complex operator/(Complex a, Complex b) {
    const T x = b.real < 0 ? -b.real : b.real;
    const T y = b.imag < 0 ? -b.imag : b.imag;
    if (x == 0 && y == 0) return {a.real / x, a.imag / x};
    const bool turns = !(x >= y);
    const Complex top{turns ? a.imag : a.real, turns ? -a.real : a.imag};
    const Complex bottom{turns ? b.imag : b.real, turns ? -b.real : b.imag};
    const T ratio = bottom.imag / bottom.real;
    const T scale = bottom.real + bottom.imag * ratio;
    return {(top.real + top.imag * ratio) / scale, (top.imag + (-top.real) * ratio) / scale};
  }
  EAGRE_COMPLEX Complex& operator+=(Complex other) { return *this = *this + other; }
  EAGRE_COMPLEX Complex& operator-=(Complex other) { return *this = *this - other; }
  EAGRE_COMPLEX Complex& operator*=(Complex other) { return *this = *this * other; }
  EAGRE_COMPLEX friend bool operator==(Complex a, Complex b) {
    return a.real == b.real && a.imag == b.imag;
  }
};

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<Complex<T>> = true;

// float of Complex<float>; other types as they are.
template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<Complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;

}  // namespace eagre
