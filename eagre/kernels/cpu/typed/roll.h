// roll: a contiguous tensor with its elements moved on in a circle.
#pragma once

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

// `direction` is 1, or -1 to move them back.
template <class T>
void roll_towards(const TensorView& out, const TensorView& input, Dims shifts, Dims dims,
                  int64_t direction) {
  if (out.numel == 0) return;
  const T* source = input.as<T>();
  T* target = out.as<T>();
  const auto within = [direction](int64_t shift, int64_t size) {
    const int64_t rest = shift % size * direction;
    return rest < 0 ? rest + size : rest;
  };
  if (dims.empty()) {
    const int64_t shift = within(shifts[0], out.numel);
    std::copy_n(source, out.numel - shift, target + shift);
    std::copy_n(source + out.numel - shift, shift, target);
    return;
  }
  const size_t rank = std::max<size_t>(1, out.sizes.size());
  DimVector sizes(rank, 1), moved(rank, 0);
  for (size_t d = 0; d < out.sizes.size(); ++d) sizes[d] = out.sizes[d];
  for (size_t i = 0; i < dims.size(); ++i) {
    const size_t d = dims[i] < 0 ? dims[i] + rank : dims[i];
    moved[d] = (moved[d] + within(shifts[i], sizes[d])) % sizes[d];
  }
  const int64_t width = sizes.back(), last = moved.back();
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / width);
  parallel_for(0, out.numel / width, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t rest = row, to = 0, stride = width;
      for (size_t d = rank - 1; d-- > 0;) {
        to += (rest % sizes[d] + moved[d]) % sizes[d] * stride;
        rest /= sizes[d];
        stride *= sizes[d];
      }
      const T* line = source + row * width;
      std::copy_n(line, width - last, target + to + last);
      std::copy_n(line + width - last, last, target + to);
    }
  });
}

template <class T>
void roll(const TensorView& out, const TensorView& input, const OptionalDims& shifts,
          const OptionalDims& dims) {
  roll_towards<T>(out, input, shifts.values(), dims.values(), 1);
}

}  // namespace eagre::kernels::cpu::typed
