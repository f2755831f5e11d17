// scatter: each element to the place that an index of the same shape names.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>
#include <eagre/kernels/cpu/typed/shared_scatter.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void scatter(const TensorView& input, int64_t dim, const TensorView& index, const TensorView& src) {
  if (index.numel == 0) return;
  const IndexRows rows(index, dim);
  const Beside to(input, rows, true);
  const Beside from(src, rows, false);
  const CheckedIndices indices("scatter", input, index, to.chosen_size, rows.dim);
  const T* source = src.as<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = input.as<T>();
  if (shares_scatter(rows, to, from, index.numel)) {
    indices.check();
    return scatter_by_stretches(target, to.chosen_size, chosen, source, index.numel,
                                [](T& element, const T& value) { element = value; });
  }
  const auto put = [&](auto way, int64_t first, int64_t count, int64_t row, int64_t column) {
    T* base = target + to.start(rows, row, column);
    const int64_t* here = chosen + first;
    const int64_t step = to.step;
    const T* values = source + from.start(rows, row, column);
    const int64_t taken = from.step;
    for (int64_t i = 0; i < count; ++i) base[i * step + way(here[i])] = values[i * taken];
  };
  for_scattered_rows(rows, to, index.numel, indices, put);
}

}  // namespace eagre::kernels::cpu::typed
