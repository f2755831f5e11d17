// index: elements at coordinates that several tensors name.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void index_tensors(const TensorView& out, const TensorView& input, Span<const TensorView> indices) {
  const IndexPlan plan("index", input, indices);
  if (out.numel == 0) return;
  const T* source = input.as<T>();
  T* target = out.as<T>();
  const int64_t run = plan.run();
  parallel_for(0, plan.rows(), plan.row_grain(), [&](int64_t begin, int64_t end) {
    if (run == 1) {
      plan.walk(begin, end, [&](int64_t row, int64_t from) { target[row] = source[from]; });
      return;
    }
    plan.walk(begin, end, [&](int64_t row, int64_t from) {
      std::copy_n(source + from, run, target + row * run);
    });
  });
}

}  // namespace eagre::kernels::cpu::typed
