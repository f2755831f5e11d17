// sum_rows: rows added up at the places that an index names.
#pragma once

#include <algorithm>
#include <optional>

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/typed/check_index.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void sum_rows(const TensorView& out, const TensorView& input, const TensorView& index,
              std::optional<int64_t> padding) {
  T* result = out.as<T>();
  std::fill(result, result + out.numel, T{});
  const int64_t count = out.sizes[0];
  check_index({"sum_rows", "index"}, index, count, padding);
  if (out.numel == 0) return;
  const int64_t width = out.numel / count;
  const auto* places = index.as<const int64_t>();
  for (int64_t i = 0; i < index.numel; ++i) {
    const int64_t place = places[i];
    if (padding && place == *padding) continue;
    T* to = result + scalar::bounded(place, count) * width;
    const T* from = input.as<const T>() + i * width;
    for (int64_t j = 0; j < width; ++j) to[j] += from[j];
  }
}

}  // namespace eagre::kernels::cpu::typed
