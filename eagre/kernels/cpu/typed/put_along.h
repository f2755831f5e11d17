// put_along: zeros, with elements at the places that an index names along a dimension.
#pragma once

#include <algorithm>
#include <optional>

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/index_walk.h>
#include <eagre/kernels/cpu/typed/check_index.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void put_along(const TensorView& out, const TensorView& input, const TensorView& index, int64_t dim,
               std::optional<int64_t> blank) {
  const Along from(index.sizes, dim), to(out.sizes, dim);
  check_index({"put_along", "index"}, index, to.size, blank);
  T* result = out.as<T>();
  std::fill(result, result + out.numel, T{});
  const T* values = input.as<const T>();
  const auto* places = index.as<const int64_t>();
  for (int64_t o = 0; o < from.outer; ++o) {
    for (int64_t k = 0; k < from.size; ++k) {
      for (int64_t i = 0; i < from.inner; ++i) {
        const int64_t at = (o * from.size + k) * from.inner + i;
        const int64_t place = places[at];
        if (blank && place == *blank) continue;
        result[(o * to.size + scalar::bounded(place, to.size)) * to.inner + i] = values[at];
      }
    }
  }
}

}  // namespace eagre::kernels::cpu::typed
