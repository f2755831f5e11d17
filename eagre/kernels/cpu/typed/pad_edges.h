// pad_edges: a tensor with a border that repeats its elements.
#pragma once

#include <algorithm>

#include <eagre/base/thread_pool.h>
#include <eagre/kernels/cpu/edge_places.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void pad_edges(const TensorView& out, const TensorView& input, Dims pad, std::string_view mode) {
  if (out.numel == 0) return;
  const EdgeWalk edges(input, out, pad, mode);
  const PaddedWalk& walk = edges.walk;
  const int64_t inner = walk.inner, count = walk.padded[walk.last()];
  const int64_t size = walk.sizes[walk.last()], before = walk.before[walk.last()];
  // What stands in one piece in both.
  const int64_t first = std::clamp<int64_t>(before, 0, count);
  const int64_t end_of_piece = std::clamp<int64_t>(before + size, first, count);
  const int64_t* const columns = edges.columns();
  parallel_for(0, walk.rows(), 32768 / (count * inner) + 1, [&](int64_t begin, int64_t end) {
    const auto place = [&](size_t d, int64_t i) { return edges.place(d, i); };
    walk.each_row(begin, end, place, [&](int64_t row, int64_t source) {
      const T* const from = input.as<const T>() + source * size * inner;
      T* const to = out.as<T>() + row * count * inner;
      const auto copy = [&](int64_t i) {
        if (inner == 1) {
          to[i] = from[columns[i]];
        } else {
          std::copy_n(from + columns[i] * inner, inner, to + i * inner);
        }
      };
      for (int64_t i = 0; i < first; ++i) copy(i);
      std::copy_n(from + (first - before) * inner, (end_of_piece - first) * inner,
                  to + first * inner);
      for (int64_t i = end_of_piece; i < count; ++i) copy(i);
    });
  });
}

}  // namespace eagre::kernels::cpu::typed
