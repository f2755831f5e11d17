// scatter_add: each element added where an index says, in the order of the source.
#pragma once

#include <eagre/core/load_element.h>
#include <eagre/kernels/cpu/index_walk.h>
#include <eagre/kernels/cpu/typed/shared_scatter.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void scatter_add(const TensorView& input, int64_t dim, const TensorView& index,
                 const TensorView& src) {
  if (index.numel == 0) return;
  const IndexRows rows(index, dim);
  const Beside to(input, rows, true);
  const Beside from(src, rows, false);
  const CheckedIndices indices("scatter_add", input, index, to.chosen_size, rows.dim);
  const T* source = src.as<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = input.as<T>();
  const auto add = [](T& element, const T& value) {
    element = static_cast<T>(load_element(element) + load_element(value));
  };
  if (shares_scatter(rows, to, from, index.numel)) {
    indices.check();
    return scatter_by_stretches(target, to.chosen_size, chosen, source, index.numel, add);
  }
  // A target beyond the nearer caches is asked for before its turn.
  constexpr int64_t kAhead = 64;
  const bool far = to.chosen_size * to.chosen_stride * static_cast<int64_t>(sizeof(T)) > 1 << 19;
  const auto put = [&](auto way, int64_t first, int64_t count, int64_t row, int64_t column) {
    T* base = target + to.start(rows, row, column);
    const int64_t* here = chosen + first;
    const int64_t step = to.step;
    const T* values = source + from.start(rows, row, column);
    const int64_t taken = from.step;
    int64_t i = 0;
    for (; far && i + kAhead < count; ++i) {
      __builtin_prefetch(base + (i + kAhead) * step + way(here[i + kAhead]), 1);
      add(base[i * step + way(here[i])], values[i * taken]);
    }
    for (; i < count; ++i) add(base[i * step + way(here[i])], values[i * taken]);
  };
  for_scattered_rows(rows, to, index.numel, indices, put);
}

}  // namespace eagre::kernels::cpu::typed
