// index_add: rows added to the rows that an index names.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/core/load_element.h>
#include <eagre/core/scalar.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void index_add(const TensorView& input, int64_t dim, const TensorView& index,
               const TensorView& source, const Scalar& alpha) {
  const Along to(input.sizes, dim);
  check_indices("index_add", "index", index, to.size, to.dim);
  const T* values = source.as<T>();
  const T factor = alpha.wrapped<T>();
  T* target = input.as<T>();
  const int64_t inner = to.inner;
  for_chosen_rows(to, index, [=](int64_t line, int64_t row) {
    const T* from = values + row * inner;
    for (int64_t i = 0; i < inner; ++i) {
      T& element = target[line + i];
      element = static_cast<T>(load_element(element) + load_element(from[i]) * factor);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
