// index_copy: rows in place of the rows that an index names.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void index_copy(const TensorView& input, int64_t dim, const TensorView& index,
                const TensorView& source) {
  const Along to(input.sizes, dim);
  check_indices("index_copy", "index", index, to.size, to.dim);
  const T* values = source.as<T>();
  T* target = input.as<T>();
  const int64_t inner = to.inner;
  for_chosen_rows(to, index, [=](int64_t line, int64_t row) {
    std::copy_n(values + row * inner, inner, target + line);
  });
}

}  // namespace eagre::kernels::cpu::typed
