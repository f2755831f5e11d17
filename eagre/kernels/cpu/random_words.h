// Random words for kernels that choose: a function of seed and position alone, two of 64 bits from
// one Philox block.
#pragma once

#include <cstdint>

#include <eagre/core/generator.h>
#include <eagre/kernels/scalar/philox.h>

namespace eagre::kernels::cpu {

constexpr int64_t kRandomGrain = 32768;  // even: chunks begin with a block

// f(i, word) for i in [begin, end).
template <class F>
void for_random_words(RandomStretch random, int64_t begin, int64_t end, const F& f) {
  for (int64_t i = begin; i < end; i += 2) {
    const auto bits = scalar::philox(random.seed, random.start + static_cast<uint64_t>(i / 2));
    f(i, uint64_t{bits.word[0]} << 32 | bits.word[1]);
    if (i + 1 < end) f(i + 1, uint64_t{bits.word[2]} << 32 | bits.word[3]);
  }
}

}  // namespace eagre::kernels::cpu
