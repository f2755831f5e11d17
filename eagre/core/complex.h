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
  EAGRE_COMPLEX explicit Complex(const Complex<Other>& other)
      : real(static_cast<T>(other.real)), imag(static_cast<T>(other.imag)) {}

  EAGRE_COMPLEX friend Complex operator+(Complex a, Complex b) {
    return {a.real + b.real, a.imag + b.imag};
  }
  EAGRE_COMPLEX friend Complex operator-(Complex a, Complex b) {
    return {a.real - b.real, a.imag - b.imag};
  }
  EAGRE_COMPLEX friend Complex operator-(Complex a) { return {-a.real, -a.imag}; }
  EAGRE_COMPLEX friend Complex operator*(Complex a, Complex b) {
    return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
  }
  // Scaled by the larger part of the divisor, so that its square does not overflow.
  EAGRE_COMPLEX friend Complex operator/(Complex a, Complex b) {
    const T x = b.real < 0 ? -b.real : b.real;
    const T y = b.imag < 0 ? -b.imag : b.imag;
    if (x >= y) {
      if (x == 0) return {a.real / x, a.imag / x};
      const T ratio = b.imag / b.real;
      const T scale = b.real + b.imag * ratio;
      return {(a.real + a.imag * ratio) / scale, (a.imag - a.real * ratio) / scale};
    }
    const T ratio = b.real / b.imag;
    const T scale = b.real * ratio + b.imag;
    return {(a.real * ratio + a.imag) / scale, (a.imag * ratio - a.real) / scale};
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
