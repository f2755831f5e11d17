// randperm: the numbers from 0 on in random order.
#pragma once

#include <algorithm>
#include <utility>

#include <eagre/base/interrupt.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/random_numbers.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void randperm_values(const TensorView& out, RandomStretch random) {
  T* data = out.as<T>();
  const int64_t count = out.numel;
  parallel_for(0, count, kRandomGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) data[i] = static_cast<T>(i);
  });
  for (int64_t begin = 0; begin < count; begin += kRandomGrain) {
    poll_interrupt(kRandomGrain);
    for_random_words(random, begin, std::min(begin + kRandomGrain, count),
                     [&](int64_t i, uint64_t word) {
                       std::swap(data[i], data[i + static_cast<int64_t>(below(count - i, word))]);
                     });
  }
}

}  // namespace eagre::kernels::cpu::typed
