// pad_edges_grad: a tensor with a border, folded back to where its elements came from.
#pragma once

#include <algorithm>

#include <eagre/base/thread_pool.h>
#include <eagre/kernels/cpu/edge_places.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void pad_edges_grad(const TensorView& out, const TensorView& input, Dims pad,
                    std::string_view mode) {
  if (out.numel == 0) return;
  const EdgeWalk edges(out, input, pad, mode);
  const PaddedWalk& walk = edges.walk;
  const int64_t inner = walk.inner, count = walk.padded[walk.last()];
  const int64_t size = walk.sizes[walk.last()];
  const int64_t* const columns = edges.columns();
  const int64_t parts = edges.independent(), rows = walk.rows() / parts;
  const int64_t own = out.numel / parts;
  parallel_for(0, parts, 32768 / (rows * count * inner + 1) + 1, [&](int64_t begin, int64_t end) {
    std::fill_n(out.as<T>() + begin * own, (end - begin) * own, T{});
    const auto place = [&](size_t d, int64_t i) { return edges.place(d, i); };
    walk.each_row(begin * rows, end * rows, place, [&](int64_t row, int64_t target) {
      T* const to = out.as<T>() + target * size * inner;
      const T* const from = input.as<const T>() + row * count * inner;
      for (int64_t i = 0; i < count; ++i) {
        T* const sums = to + columns[i] * inner;
        for (int64_t k = 0; k < inner; ++k) sums[k] += from[i * inner + k];
      }
    });
  });
}

}  // namespace eagre::kernels::cpu::typed
