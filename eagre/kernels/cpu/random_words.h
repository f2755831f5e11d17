// Random words as a function of seed and position alone, two of 64 bits from one Philox block.
#pragma once

#include <cstdint>

#include <eagre/core/generator.h>
#include <eagre/kernels/scalar/random_draws.h>

namespace eagre::kernels::cpu {

constexpr int64_t kRandomGrain = 32768;  // chunks begin with a block

// f(i, word) for i in [begin, end).
template <class F>
void for_random_words(RandomStretch random, int64_t begin, int64_t end, const F& f) {
  for (int64_t i = begin; i < end; i += 2) {
    uint64_t words[2];
    scalar::WordDraw::draw(scalar::philox(random.seed, random.start + static_cast<uint64_t>(i / 2)),
                           words);
    f(i, words[0]);
    if (i + 1 < end) f(i + 1, words[1]);
  }
}

}  // namespace eagre::kernels::cpu
