// abs: the size; the sign bit of floats goes, also of -0 and NaN.
#pragma once

#include <cmath>
#include <type_traits>

#include <eagre/kernels/scalar/complex_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T abs(T input) {
  if constexpr (std::is_floating_point_v<T>) return std::fabs(input);
  return input < 0 ? static_cast<T>(-input) : input;
}

template <class T>
EAGRE_SCALAR T abs(Complex<T> input) {
  return static_cast<T>(__builtin_cabs(widen(input)));
}

}  // namespace eagre::scalar
