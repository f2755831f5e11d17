// diagonal_grad: zeros with the input on a diagonal of two dimensions.
#pragma once

#include <algorithm>

#include <eagre/kernels/cpu/odometer.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void diagonal_grad(const TensorView& out, const TensorView& input, int64_t offset, int64_t dim1,
                   int64_t dim2) {
  T* target = out.as<T>();
  std::fill_n(target, out.numel, T{});
  if (input.numel == 0) return;
  const int64_t rank = out.rank();
  const int64_t a = dim1 < 0 ? dim1 + rank : dim1;
  const int64_t b = dim2 < 0 ? dim2 + rank : dim2;
  target += offset >= 0 ? offset * out.strides[b] : -offset * out.strides[a];
  DimVector strides;
  for (int64_t d = 0; d < rank; ++d) {
    if (d != a && d != b) strides.push_back(out.strides[d]);
  }
  strides.push_back(out.strides[a] + out.strides[b]);
  const T* source = input.as<T>();
  for_each_place<2>(input.sizes, {input.strides, Dims(strides)},
                    [&](const std::array<int64_t, 2>& at) { target[at[1]] = source[at[0]]; });
}

}  // namespace eagre::kernels::cpu::typed
