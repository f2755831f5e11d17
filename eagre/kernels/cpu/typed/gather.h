// gather: each element from the place that an index of the same shape names.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void gather(const TensorView& out, const TensorView& input, int64_t dim, const TensorView& index) {
  if (index.numel == 0) return;
  const IndexRows rows(index, dim);
  const Beside from(input, rows, true);
  check_indices("gather", "index", index, from.chosen_size, rows.dim);
  const T* source = input.as<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = out.as<T>();
  const auto run = [&](auto way) {
    parallel_for(0, index.numel, kIndexGrain, [&, way](int64_t begin, int64_t end) {
      rows.walk(begin, end, [&, way](int64_t first, int64_t count, int64_t row, int64_t column) {
        const T* base = source + from.start(rows, row, column);
        const int64_t* here = chosen + first;
        T* to = target + first;
        const int64_t step = from.step;
        for (int64_t i = 0; i < count; ++i) to[i] = base[i * step + way(here[i])];
      });
    });
  };
  with_way(from.chosen_stride, run);
}

}  // namespace eagre::kernels::cpu::typed
