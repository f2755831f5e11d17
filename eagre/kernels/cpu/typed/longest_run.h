// longest_run: of rows in order, the place of the last of most equal elements.
#pragma once

#include <algorithm>

#include <eagre/base/thread_pool.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void longest_run(const TensorView& out, const TensorView& ordered, const TensorView& places,
                 int64_t dim) {
  if (out.numel == 0) return;
  const Along along(ordered.sizes, dim);
  const T* data = ordered.as<const T>();
  const auto* sources = places.as<const int64_t>();
  auto* result = out.as<int64_t>();
  const int64_t n = along.size, inner = along.inner;
  const auto same = [](T a, T b) { return a == b || (a != a && b != b); };
  parallel_for(0, along.outer * inner, 32768 / n + 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t first = row / inner * n * inner + row % inner;
      int64_t best = 0, longest = 0, run = 0;
      for (int64_t i = 0; i < n; ++i) {
        const int64_t here = first + i * inner;
        run = i > 0 && same(data[here], data[here - inner]) ? run + 1 : 1;
        if (run <= longest) continue;
        longest = run;
        best = here;
      }
      result[row] = sources[best];
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
