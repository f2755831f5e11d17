// binomial_draws: how many tries succeed, for every element.
#pragma once

#include <cmath>

#include <eagre/base/error.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/random_words.h>
#include <eagre/kernels/scalar/random_counts.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void binomial_draws(const TensorView& out, const TensorView& count, const TensorView& prob,
                    RandomStretch random) {
  const T* counts = count.as<T>();
  const T* chances = prob.as<T>();
  for (int64_t i = 0; i < out.numel; ++i) {
    if (!std::isfinite(counts[i])) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{"binomial", "count", "finite numbers", concat(counts[i])});
    }
    if (std::isnan(chances[i])) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{"binomial", "prob", "probabilities", concat(chances[i])});
    }
  }
  T* data = out.as<T>();
  parallel_for(0, out.numel, kRandomGrain / 8, [=](int64_t begin, int64_t end) {
    for_random_words(random, begin, end, [&](int64_t i, uint64_t word) {
      scalar::RandomSequence own{word};
      const auto tries = static_cast<double>(counts[i]), chance = static_cast<double>(chances[i]);
      data[i] = static_cast<T>(scalar::binomial_count(tries, chance, own));
    });
  });
}

}  // namespace eagre::kernels::cpu::typed
