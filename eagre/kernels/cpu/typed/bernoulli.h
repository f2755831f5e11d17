// bernoulli: 1 with the probability that an element is, else 0.
#pragma once

#include <eagre/base/error.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/random_words.h>
#include <eagre/kernels/scalar/random_below.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void bernoulli(const TensorView& out, const TensorView& input, RandomStretch random) {
  const T* chance = input.as<T>();
  for (int64_t i = 0; i < input.numel; ++i) {
    if (chance[i] >= 0 && chance[i] <= 1) continue;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"bernoulli", "input", "probabilities from 0 to 1", concat(chance[i])});
  }
  T* data = out.as<T>();
  parallel_for(0, out.numel, kRandomGrain, [=](int64_t begin, int64_t end) {
    for_random_words(random, begin, end, [&](int64_t i, uint64_t word) {
      data[i] = scalar::random_fraction(word) < static_cast<double>(chance[i]) ? T(1) : T(0);
    });
  });
}

}  // namespace eagre::kernels::cpu::typed
