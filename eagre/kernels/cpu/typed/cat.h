// cat: contiguous tensors one after the other along a dimension.
#pragma once

#include <algorithm>

#include <eagre/base/small_vector.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

// Elements [begin, end) of the result, found in the tensors; starts[i] is the column at which
// tensor i begins.
template <class T>
void cat_range(T* target, Span<const TensorView> tensors, Span<const int64_t> starts, int64_t row,
               int64_t begin, int64_t end) {
  for (int64_t at = begin; at < end;) {
    const int64_t line = at / row, first = line * row;
    size_t i = 0;
    if (at != first) {
      i = std::upper_bound(starts.begin(), starts.end(), at - first) - starts.begin() - 1;
    }
    for (; i < tensors.size() && at < end; ++i) {
      const int64_t width = starts[i + 1] - starts[i], column = at - first - starts[i];
      const int64_t count = std::min(width - column, end - at);
      if (count <= 0) continue;
      std::copy_n(tensors[i].as<const T>() + line * width + column, count, target + at);
      at += count;
    }
  }
}

template <class T>
void cat(const TensorView& out, Span<const TensorView> tensors, int64_t dim) {
  if (out.numel == 0) return;
  const Along whole(out.sizes, dim);
  SmallVector<int64_t, 8> starts(tensors.size() + 1);
  for (size_t i = 0; i < tensors.size(); ++i) {
    starts[i + 1] = starts[i] + tensors[i].numel / whole.outer;
  }
  const int64_t row = whole.size * whole.inner;
  parallel_for(0, out.numel, kIndexGrain, [&](int64_t begin, int64_t end) {
    cat_range<T>(out.as<T>(), tensors, starts, row, begin, end);
  });
}

}  // namespace eagre::kernels::cpu::typed
