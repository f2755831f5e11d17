// flip: a contiguous tensor with some dimensions in reverse order.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void flip(const TensorView& out, const TensorView& input, Dims dims) {
  if (out.numel == 0) return;
  const auto rank = static_cast<int64_t>(out.sizes.size());
  uint64_t reversed = 0;
  for (int64_t d : dims) reversed |= uint64_t{1} << (d < 0 ? d + std::max<int64_t>(1, rank) : d);
  const T* source = input.as<T>();
  T* target = out.as<T>();
  const int64_t width = rank == 0 ? 1 : out.sizes.back();
  const bool turns = rank != 0 && (reversed >> (rank - 1) & 1) != 0;
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / width);
  parallel_for(0, out.numel / width, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t rest = row, from = 0;
      for (int64_t d = rank - 1; d-- > 0;) {
        const int64_t at = rest % out.sizes[d];
        from += ((reversed >> d & 1) != 0 ? out.sizes[d] - 1 - at : at) * input.strides[d];
        rest /= out.sizes[d];
      }
      T* line = target + row * width;
      if (turns) {
        std::reverse_copy(source + from, source + from + width, line);
      } else {
        std::copy_n(source + from, width, line);
      }
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
