// scatter_add: each element added where an index says, in the order of the source.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void scatter_add(const TensorView& input, int64_t dim, const TensorView& index, const TensorView& src) {
  if (index.numel == 0) return;
  const IndexRows rows(index, dim);
  const Beside to(input, rows, true);
  const Beside from(src, rows, false);
  check_indices("scatter_add", "index", index, to.chosen_size, rows.dim);
  const T* source = src.as<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = input.as<T>();
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / rows.block);
  parallel_for(0, index.numel / rows.block, grain, [&](int64_t begin, int64_t end) {
    const int64_t size = to.chosen_size, stride = to.chosen_stride, step = to.step;
    const auto put = [&](int64_t first, int64_t count, int64_t row, int64_t column) {
      T* base = target + to.start(rows, row, column);
      const T* values = source + from.start(rows, row, column);
      for (int64_t i = 0; i < count; ++i) {
        base[i * step + wrapped(chosen[first + i], size) * stride] += values[i * from.step];
      }
    };
    rows.walk(begin * rows.block, end * rows.block, put);
  });
}

}  // namespace eagre::kernels::cpu::typed
