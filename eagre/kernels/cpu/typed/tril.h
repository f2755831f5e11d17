// tril: zeros above a diagonal of contiguous matrices.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void tril(const TensorView& input, int64_t diagonal) {
  const int64_t columns = input.sizes.back(), rows = input.sizes[input.sizes.size() - 2];
  // Beyond the matrix it makes no difference how far.
  diagonal = std::clamp(diagonal, -rows - 1, columns + 1);
  T* data = input.as<T>();
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / columns);
  parallel_for(0, input.numel / columns, grain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T* line = data + i * columns;
      const int64_t first = std::clamp<int64_t>(i % rows + diagonal + 1, 0, columns);
      std::fill(line + first, line + columns, T{});
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
