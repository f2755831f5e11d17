// fill: one value in every place of a tensor with any strides.
#pragma once

#include <eagre/base/thread_pool.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/fill_line.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void fill(const TensorView& input, const Scalar& value) {
  const T number = value.wrapped<T>();
  T* data = input.as<T>();
  if (is_contiguous(input.sizes, input.strides)) {
    parallel_for(0, input.numel, kFillGrain,
                 [=](int64_t begin, int64_t end) { fill_line(data + begin, end - begin, number); });
    return;
  }
  const size_t rank = input.sizes.size();
  const int64_t width = input.sizes.back(), step = input.strides.back();
  for (int64_t row = 0; row < input.numel / width; ++row) {
    int64_t rest = row;
    T* line = data;
    for (size_t d = rank - 1; d-- > 0;) {
      line += rest % input.sizes[d] * input.strides[d];
      rest /= input.sizes[d];
    }
    for (int64_t i = 0; i < width; ++i) line[i * step] = number;
  }
}

}  // namespace eagre::kernels::cpu::typed
