// index_fill: a number in the rows that an index names.
#pragma once

#include <eagre/core/scalar.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void index_fill(const TensorView& input, int64_t dim, const TensorView& index,
                const Scalar& value) {
  const Along to(input.sizes, dim);
  check_from_either_end("index_fill", "index", index, to.size, to.dim);
  const T number = value.wrapped<T>();
  T* target = input.as<T>();
  const int64_t inner = to.inner;
  for_chosen_rows(to, index,
                  [=](int64_t line, int64_t) { std::fill_n(target + line, inner, number); });
}

}  // namespace eagre::kernels::cpu::typed
