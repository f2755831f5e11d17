// replace_special: the number, or what stands for NaN and the infinities. Of complex ones each
// part.
#pragma once

#include <limits>

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

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
