// leave_one_out: for each element those that are reduced with it, with a number in its own place.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/typed/reduced_group.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void leave_one_out(const TensorView& out, const TensorView& input, const OptionalDims& dim,
                   double fill) {
  const ReducedGroup group(input.sizes, dim);
  T* result = out.as<T>();
  for (int64_t p = 0; p < input.numel; ++p) {
    int64_t first = 0, own = 0;
    group.find(p, first, own);
    for (int64_t r = 0; r < group.size(); ++r, ++result) {
      *result = r == own ? T(fill) : input.as<const T>()[first + group.offset(r)];
    }
  }
}

}  // namespace eagre::kernels::cpu::typed
