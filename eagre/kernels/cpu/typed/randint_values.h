// randint: whole numbers from a range.
#pragma once

#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/random_words.h>
#include <eagre/kernels/scalar/random_below.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void randint_values(const TensorView& out, int64_t low, int64_t high, RandomStretch random) {
  T* data = out.as<T>();
  const uint64_t count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  parallel_for(0, out.numel, kRandomGrain, [=](int64_t begin, int64_t end) {
    for_random_words(random, begin, end, [&](int64_t i, uint64_t word) {
      const uint64_t chosen = static_cast<uint64_t>(low) + scalar::random_below(count, word);
      data[i] = static_cast<T>(static_cast<int64_t>(chosen));
    });
  });
}

}  // namespace eagre::kernels::cpu::typed
