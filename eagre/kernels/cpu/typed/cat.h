// cat: contiguous tensors one after the other along a dimension.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void cat(const TensorView& out, Span<const TensorView> tensors, int64_t dim) {
  const Along whole(out.sizes, dim);
  T* target = out.as<T>();
  const int64_t row = whole.size * whole.inner;
  int64_t start = 0;
  for (const TensorView& tensor : tensors) {
    if (tensor.numel == 0) continue;
    const T* source = tensor.as<T>();
    const int64_t width = tensor.numel / whole.outer;
    T* first = target + start;
    start += width;
    if (tensor.numel <= kIndexGrain) {
      for (int64_t i = 0; i < whole.outer; ++i) {
        std::copy_n(source + i * width, width, first + i * row);
      }
      continue;
    }
    parallel_for(0, tensor.numel, kIndexGrain, [=](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end;) {
        const int64_t line = at / width, column = at % width;
        const int64_t count = std::min(width - column, end - at);
        std::copy_n(source + at, count, first + line * row + column);
        at += count;
      }
    });
  }
}

}  // namespace eagre::kernels::cpu::typed
