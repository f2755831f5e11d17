// Random bits as numbers in [0, 1): multiples of 2^-24 and 2^-53, every one equally likely. Made of
// signed conversions, which every vector unit has.
#pragma once

#include <cstdint>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

EAGRE_SCALAR float uniform_f32(uint32_t bits) {
  return static_cast<float>(static_cast<int32_t>(bits >> 8)) * 0x1p-24F;
}

EAGRE_SCALAR double uniform_f64(uint32_t high, uint32_t low) {
  const auto upper = static_cast<double>(static_cast<int32_t>(high >> 5));
  const auto lower = static_cast<double>(static_cast<int32_t>(low >> 6));
  return (upper * 0x1p26 + lower) * 0x1p-53;
}

}  // namespace eagre::scalar
