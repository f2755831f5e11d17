// sum_repeated: the sum of the parts of the result's shape that a tensor is made of.
#pragma once

#include <algorithm>

#include <eagre/core/complex.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void sum_repeated(const TensorView& out, const TensorView& input) {
  T* target = out.as<T>();
  const T* source = input.as<T>();
  std::fill_n(target, out.numel, T(0));
  const size_t rank = input.sizes.size();
  const size_t lead = rank - out.sizes.size();
  for (int64_t i = 0; i < input.numel; ++i) {
    int64_t rest = i, to = 0;
    for (size_t d = rank; d-- > lead;) {
      to += rest % input.sizes[d] % out.sizes[d - lead] * out.strides[d - lead];
      rest /= input.sizes[d];
    }
    target[to] += source[i];
  }
}

}  // namespace eagre::kernels::cpu::typed
