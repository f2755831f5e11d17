// leave_one_out_grad: the sum of what leave_one_out() made of each element.
#pragma once

#include <algorithm>

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/typed/reduced_group.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void leave_one_out_grad(const TensorView& out, const TensorView& input, const OptionalDims& dim) {
  const ReducedGroup group(out.sizes, dim);
  T* result = out.as<T>();
  std::fill(result, result + out.numel, T{});
  const T* from = input.as<const T>();
  for (int64_t p = 0; p < out.numel; ++p) {
    int64_t first = 0, own = 0;
    group.find(p, first, own);
    for (int64_t r = 0; r < group.size(); ++r, ++from) {
      if (r != own) result[first + group.offset(r)] += *from;
    }
  }
}

}  // namespace eagre::kernels::cpu::typed
