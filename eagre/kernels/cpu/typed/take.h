// take: elements by their number in row-major order.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void take(const TensorView& out, const TensorView& input, const TensorView& index) {
  check_from_either_end("take", "index", index, input.numel, -1);
  const T* source = input.as<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = out.as<T>();
  parallel_for(0, index.numel, kIndexGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) target[i] = source[wrapped(chosen[i], input.numel)];
  });
}

}  // namespace eagre::kernels::cpu::typed
