// running_extreme: where the largest or smallest element so far is.
#pragma once

#include <algorithm>

#include <eagre/base/thread_pool.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

// Is `value` taken after `best`? The later of equal ones is, and NaN before all.
template <class T>
bool takes_over(T value, T best, bool least) {
  if (value != value) return true;
  return least ? value <= best : value >= best;  // false of a NaN that was before
}

template <class T>
void running_extreme(const TensorView& out, const TensorView& input, int64_t dim, bool least) {
  if (out.numel == 0) return;
  const Along along(input.sizes, dim);
  const T* data = input.as<const T>();
  auto* result = out.as<int64_t>();
  const int64_t n = along.size, inner = along.inner;
  parallel_for(0, along.outer, 32768 / (n * inner) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t outer = begin; outer < end; ++outer) {
      const T* from = data + outer * n * inner;
      int64_t* to = result + outer * n * inner;
      std::fill_n(to, inner, int64_t{0});
      for (int64_t i = 1; i < n; ++i) {  // row by row, so that memory is read in order
        for (int64_t j = 0; j < inner; ++j) {
          const int64_t best = to[(i - 1) * inner + j];
          const bool taken = takes_over(from[i * inner + j], from[best * inner + j], least);
          to[i * inner + j] = taken ? i : best;
        }
      }
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
