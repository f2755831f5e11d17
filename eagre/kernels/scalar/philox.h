// Philox 4x32-10: 128 random bits as a function of a key and a counter (Salmon et al., SC 2011).
#pragma once

#include <cstdint>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

struct PhiloxBits {
  uint32_t word[4];
};

EAGRE_SCALAR PhiloxBits philox(uint64_t seed, uint64_t counter) {
  constexpr uint32_t kMultiplyA = 0xD2511F53, kMultiplyB = 0xCD9E8D57;
  constexpr uint32_t kAddA = 0x9E3779B9, kAddB = 0xBB67AE85;
  auto key_a = static_cast<uint32_t>(seed), key_b = static_cast<uint32_t>(seed >> 32);
  PhiloxBits x{{static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0}};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{kMultiplyA} * x.word[0];
    const uint64_t b = uint64_t{kMultiplyB} * x.word[2];
    x = {{static_cast<uint32_t>(b >> 32) ^ x.word[1] ^ key_a, static_cast<uint32_t>(b),
          static_cast<uint32_t>(a >> 32) ^ x.word[3] ^ key_b, static_cast<uint32_t>(a)}};
    key_a += kAddA;
    key_b += kAddB;
  }
  return x;
}

}  // namespace eagre::scalar
