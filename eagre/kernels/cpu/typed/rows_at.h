// rows_at: the rows of a tensor that an index names.
#pragma once

#include <algorithm>
#include <optional>

#include <eagre/base/thread_pool.h>
#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/typed/check_index.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void rows_at(const TensorView& out, const TensorView& weight, const TensorView& index,
             std::optional<int64_t> padding, bool blank, std::string_view caller,
             std::string_view argument) {
  const int64_t count = weight.sizes[0];
  const std::optional<int64_t> left_out = blank ? padding : std::nullopt;
  check_index({caller, argument}, index, count, left_out);
  if (out.numel == 0) return;
  const int64_t width = weight.numel / count;
  const T* rows = weight.as<const T>();
  const auto* places = index.as<const int64_t>();
  T* result = out.as<T>();
  parallel_for(0, index.numel, 32768 / width + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T* to = result + i * width;
      const int64_t place = places[i];
      if (left_out && place == *left_out) {
        std::fill(to, to + width, T{});
      } else {
        std::copy_n(rows + scalar::bounded(place, count) * width, width, to);
      }
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
