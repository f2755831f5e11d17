// randperm: the numbers from 0 on in random order.
#pragma once

#include <utility>

#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/random_numbers.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void randperm_values(const TensorView& out, RandomStretch random) {
  T* data = out.as<T>();
  const int64_t count = out.numel;
  for (int64_t i = 0; i < count; ++i) data[i] = static_cast<T>(i);
  for_random_words(random, 0, count, [&](int64_t i, uint64_t word) {
    std::swap(data[i], data[i + static_cast<int64_t>(below(count - i, word))]);
  });
}

}  // namespace eagre::kernels::cpu::typed
