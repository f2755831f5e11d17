// lcm: the least common multiple, which is not negative unless it wraps around.
#pragma once

#include <eagre/kernels/scalar/gcd.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T lcm(T input, T other) {
  const auto divisor = size_of_integer(gcd(input, other));
  if (divisor == 0) return T(0);
  const auto a = size_of_integer(input), b = size_of_integer(other);
  return static_cast<T>(static_cast<decltype(a)>(a / divisor * b));
}

}  // namespace eagre::scalar
