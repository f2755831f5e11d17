// pad_with: a tensor with a border of one value.
#pragma once

#include <algorithm>

#include <eagre/base/thread_pool.h>
#include <eagre/core/scalar.h>
#include <eagre/kernels/cpu/fill_line.h>
#include <eagre/kernels/cpu/padded_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void pad_with(const TensorView& out, const TensorView& input, Dims pad, const Scalar& value) {
  if (out.numel == 0) return;
  const T number = value.wrapped<T>();
  const T* const source = input.as<const T>();
  T* const target = out.as<T>();
  const PaddedWalk walk(input, out, pad);
  const size_t last = walk.last();
  const int64_t inner = walk.inner, width = walk.padded[last] * inner;
  const int64_t before = walk.before[last], skipped = std::max<int64_t>(0, -before);
  const int64_t lead = std::min(walk.padded[last], std::max<int64_t>(0, before));
  const int64_t count =
      std::max<int64_t>(0, std::min(walk.sizes[last] - skipped, walk.padded[last] - lead));
  // A call per border takes longer than filling what little there is at once.
  const bool is_small = out.numel <= 4096;
  if (is_small) fill_line(target, out.numel, number);
  parallel_for(0, walk.rows(), 32768 / width + 1, [&](int64_t begin, int64_t end) {
    const auto place = [&](size_t d, int64_t i) {
      const int64_t at = i - walk.before[d];
      return at >= 0 && at < walk.sizes[d] ? at : -1;
    };
    walk.each_row(begin, end, place, [&](int64_t row, int64_t from) {
      T* const line = target + row * width;
      const T* const values = source + (from * walk.sizes[last] + skipped) * inner;
      if (is_small) {
        if (from >= 0) std::copy_n(values, count * inner, line + lead * inner);
      } else if (from < 0) {
        fill_line(line, width, number);
      } else {
        T* const middle = std::fill_n(line, lead * inner, number);
        std::fill(std::copy_n(values, count * inner, middle), line + width, number);
      }
    });
  });
}

}  // namespace eagre::kernels::cpu::typed
