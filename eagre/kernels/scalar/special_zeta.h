// zeta: the sum of (other + k)^-input over k = 0, 1, …, for numbers above 1.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>
#include <eagre/kernels/scalar/hurwitz_zeta.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T zeta(T input, T other) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  if (input != input || other != other) return kNan;
  if (input <= 1) return input == 1 ? kInfinity : kNan;
  if (input == kInfinity) return other == 1 ? T(1) : other > 1 ? T(0) : kInfinity;
  // Powers of numbers below 0 are for whole orders, but a pole is one for all.
  if (other < 0 && other != std::floor(other) && input != std::floor(input)) return kNan;
  return hurwitz_zeta(other, input);
}

}  // namespace eagre::scalar
