// repeat: a contiguous tensor side by side with itself, up to the shape of the result.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void repeat(const TensorView& out, const TensorView& input) {
  if (out.numel == 0) return;
  const size_t rank = out.sizes.size();
  const size_t lead = rank - input.sizes.size();
  const T* source = input.as<T>();
  T* target = out.as<T>();
  const int64_t width = rank == 0 ? 1 : out.sizes.back();
  const int64_t period = input.sizes.empty() ? 1 : input.sizes.back();
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / width);
  parallel_for(0, out.numel / width, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t rest = row, from = 0;
      for (size_t d = rank - (rank != 0); d-- > lead;) {
        from += rest % out.sizes[d] % input.sizes[d - lead] * input.strides[d - lead];
        rest /= out.sizes[d];
      }
      T* line = target + row * width;
      for (int64_t i = 0; i < width; i += period) std::copy_n(source + from, period, line + i);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
