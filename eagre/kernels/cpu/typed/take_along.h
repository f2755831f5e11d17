// take_along: the elements that an index names along a dimension.
#pragma once

#include <optional>

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/index_walk.h>
#include <eagre/kernels/cpu/typed/check_index.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void take_along(const TensorView& out, const TensorView& input, const TensorView& index,
                int64_t dim, std::string_view caller, std::string_view argument,
                std::optional<int64_t> blank) {
  const Along from(input.sizes, dim), to(index.sizes, dim);
  check_index({caller, argument}, index, from.size, blank);
  const T* values = input.as<const T>();
  const auto* places = index.as<const int64_t>();
  for (int64_t o = 0; o < to.outer; ++o) {
    for (int64_t k = 0; k < to.size; ++k) {
      for (int64_t i = 0; i < to.inner; ++i) {
        const int64_t at = (o * to.size + k) * to.inner + i;
        const int64_t place = places[at];
        const bool is_blank = blank && place == *blank;
        out.as<T>()[at] =
            is_blank ? T{}
                     : values[(o * from.size + scalar::bounded(place, from.size)) * from.inner + i];
      }
    }
  }
}

}  // namespace eagre::kernels::cpu::typed
