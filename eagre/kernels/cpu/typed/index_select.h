// index_select: rows of one dimension, in the order of an index.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void index_select(const TensorView& out, const TensorView& input, int64_t dim,
                  const TensorView& index) {
  const Along from(input.sizes, dim);
  check_indices("index_select", "index", index, from.size, from.dim);
  const T* source = input.as<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = out.as<T>();
  const int64_t count = index.numel, inner = from.inner, size = from.size;
  if (out.numel == 0) return;
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / inner);
  parallel_for(0, from.outer * count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t place = row / count * size + scalar::bounded(chosen[row % count], size);
      std::copy_n(source + place * inner, inner, target + row * inner);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
