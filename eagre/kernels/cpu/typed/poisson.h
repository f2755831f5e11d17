// poisson: a random count for every rate.
#pragma once

#include <cmath>

#include <eagre/base/error.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/random_words.h>
#include <eagre/kernels/scalar/random_counts.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void poisson(const TensorView& out, const TensorView& input, RandomStretch random) {
  const T* rates = input.as<T>();
  for (int64_t i = 0; i < input.numel; ++i) {
    if (rates[i] >= 0 && std::isfinite(rates[i])) continue;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"poisson", "input", "rates from 0 on, and finite", concat(rates[i])});
  }
  T* data = out.as<T>();
  parallel_for(0, out.numel, kRandomGrain / 8, [=](int64_t begin, int64_t end) {
    for_random_words(random, begin, end, [&](int64_t i, uint64_t word) {
      scalar::RandomSequence own{word};
      const auto rate = static_cast<double>(rates[i]);
      data[i] = rate >= 0 ? static_cast<T>(scalar::poisson_count(rate, own)) : T(0);
    });
  });
}

}  // namespace eagre::kernels::cpu::typed
