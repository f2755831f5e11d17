// What tril and triu share: rows of matrices, a stretch of each of which becomes zero.
#pragma once

#include <algorithm>

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

// stretch(place, columns) is the stretch of a row that the diagonal crosses at `place`.
template <class T, class Stretch>
void clear_beside_diagonal(const TensorView& matrices, int64_t diagonal, Stretch stretch) {
  const int64_t columns = matrices.sizes.back();
  const int64_t rows = matrices.sizes[matrices.sizes.size() - 2];
  // Beyond the matrix it makes no difference how far.
  diagonal = std::clamp(diagonal, -rows - 1, columns + 1);
  T* data = matrices.as<T>();
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / columns);
  parallel_for(0, matrices.numel / columns, grain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T* line = data + i * columns;
      const auto [first, last] = stretch(i % rows + diagonal, columns);
      std::fill(line + first, line + last, T{});
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
