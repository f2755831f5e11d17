// complex32: two halves. Arithmetic happens in Complex<float>.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/core/half.h>

namespace eagre {

template <>
struct alignas(4) Complex<Half> {
  Half real, imag;

  constexpr Complex() = default;
  constexpr Complex(Half real_part, Half imaginary_part = {})  // NOLINT: reals are complex numbers
      : real(real_part), imag(imaginary_part) {}
  template <class Other>
  constexpr explicit Complex(const Complex<Other>& other)
      : real(static_cast<float>(other.real)), imag(static_cast<float>(other.imag)) {}
  template <class Other>
  constexpr explicit operator Complex<Other>() const {
    return {static_cast<float>(real), static_cast<float>(imag)};
  }
};

}  // namespace eagre
