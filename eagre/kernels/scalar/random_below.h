// Numbers in a range, made of a random word of 64 bits.
#pragma once

#include <cstdint>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// A number from 0 to count - 1: how often each comes differs by less than count / 2^64.
EAGRE_SCALAR uint64_t random_below(uint64_t count, uint64_t word) {
  if (count >> 32 == 0) {  // the same in products of 32 bits, which vectors have
    const uint64_t high = (word >> 32) * count, low = (word & 0xFFFFFFFF) * count;
    return (high + (low >> 32)) >> 32;
  }
  return static_cast<uint64_t>(static_cast<unsigned __int128>(word) * count >> 64);
}

// A number in [0, 1), a multiple of 2^-53.
EAGRE_SCALAR double random_fraction(uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

}  // namespace eagre::scalar
