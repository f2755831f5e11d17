// scatter of a number.
#pragma once

#include <eagre/core/scalar.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void scatter_value(const TensorView& input, int64_t dim, const TensorView& index,
                   const Scalar& value) {
  if (index.numel == 0) return;
  const IndexRows rows(index, dim);
  const Beside to(input, rows, true);
  const CheckedIndices indices("scatter", input, index, to.chosen_size, rows.dim);
  const T number = value.wrapped<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = input.as<T>();
  const auto put = [&](auto way, int64_t first, int64_t count, int64_t row, int64_t column) {
    T* base = target + to.start(rows, row, column);
    const int64_t* here = chosen + first;
    const int64_t step = to.step;
    for (int64_t i = 0; i < count; ++i) base[i * step + way(here[i])] = number;
  };
  for_scattered_rows(rows, to, index.numel, indices, put);
}

}  // namespace eagre::kernels::cpu::typed
