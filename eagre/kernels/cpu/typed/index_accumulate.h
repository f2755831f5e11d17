// index_put with accumulate: elements added at coordinates that several tensors name.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/core/load_element.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void index_accumulate(const TensorView& input, Span<const TensorView> indices,
                      const TensorView& values) {
  const IndexPlan plan("index_put", input, indices);
  T* target = input.as<T>();
  const T* source = values.as<T>();
  const int64_t run = plan.run(), step = values.numel == 1 ? 0 : 1;
  // In order, as several may go to one place.
  plan.walk(0, plan.rows(), [&](int64_t row, int64_t to) {
    for (int64_t i = 0; i < run; ++i) {
      T& element = target[to + i];
      element =
          static_cast<T>(load_element(element) + load_element(source[(row * run + i) * step]));
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
