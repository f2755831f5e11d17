// logaddexp2: log2(2^input + 2^other) without overflow.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T logaddexp2(T input, T other) {
  if (input == other && std::isinf(input)) return input;  // which have no distance
  const T larger = input > other ? input : other;
  constexpr T kInverseLogTwo = static_cast<T>(1.4426950408889634);
  return larger + std::log1p(std::exp2(-std::fabs(input - other))) * kInverseLogTwo;
}

}  // namespace eagre::scalar
