// gcd: the greatest common divisor, which is not negative.
#pragma once

#include <type_traits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

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

}  // namespace eagre::scalar
