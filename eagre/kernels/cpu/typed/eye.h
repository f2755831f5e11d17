// eye: ones on the diagonal of a matrix.
#pragma once

#include <algorithm>

#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void eye(const TensorView& out) {
  T* data = out.as<T>();
  std::fill_n(data, out.numel, Scalar(0).wrapped<T>());
  const int64_t columns = out.sizes[1];
  const T one = Scalar(1).wrapped<T>();
  for (int64_t i = 0; i < std::min(out.sizes[0], columns); ++i) data[i * columns + i] = one;
}

}  // namespace eagre::kernels::cpu::typed
