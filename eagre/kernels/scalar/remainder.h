// remainder: what is left of the division downwards, with the sign of the divisor.
#pragma once

#include <eagre/kernels/scalar/fmod.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T remainder(T input, T other) {
  const T rest = fmod(input, other);
  return rest != 0 && (rest < 0) != (other < 0) ? static_cast<T>(rest + other) : rest;
}

}  // namespace eagre::scalar
