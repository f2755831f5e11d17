// bernoulli_: 1 with one probability for all elements, else 0.
#pragma once

#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/random_words.h>
#include <eagre/kernels/scalar/random_below.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void bernoulli_fill(const TensorView& input, double p, RandomStretch random) {
  T* data = input.as<T>();
  parallel_for(0, input.numel, kRandomGrain, [=](int64_t begin, int64_t end) {
    for_random_words(random, begin, end, [&](int64_t i, uint64_t word) {
      data[i] = scalar::random_fraction(word) < p ? T(1) : T(0);
    });
  });
}

}  // namespace eagre::kernels::cpu::typed
