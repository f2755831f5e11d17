// nextafter: the next number of the type from the first towards the second.
#pragma once

#include <cmath>
#include <cstdint>

#include <eagre/core/half.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

EAGRE_SCALAR float nextafter(float input, float other) { return std::nextafter(input, other); }
EAGRE_SCALAR double nextafter(double input, double other) { return std::nextafter(input, other); }

// The two 16-bit types: away from 0 their bits grow by one, apart from the sign.
template <class T>
EAGRE_SCALAR T nextafter(T input, T other) {
  const auto from = static_cast<float>(input), to = static_cast<float>(other);
  if (from != from) return input;
  if (to != to || from == to) return other;
  T next;
  if (from == 0) {
    next.bits = static_cast<uint16_t>(to > 0 ? 0x0001 : 0x8001);
  } else {
    const bool grows = (to > from) == (from > 0);
    next.bits = static_cast<uint16_t>(input.bits + (grows ? 1 : -1));
  }
  return next;
}

}  // namespace eagre::scalar
