// sum_bags: sums of the rows of a table that belong to one bag.
#pragma once

#include <algorithm>
#include <optional>

#include <eagre/kernels/cpu/typed/bag.h>
#include <eagre/kernels/cpu/typed/check_index.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void sum_bags(const TensorView& out, const TensorView& weight, const TensorView& index,
              const TensorView& offset, std::optional<int64_t> padding) {
  const int64_t rows = weight.sizes[0], width = weight.sizes[1];
  check_index({"embedding_bag", "indices"}, index, rows, {});
  const T* table = weight.as<const T>();
  T* result = out.as<T>();
  for_each_bag(index, offset, width, [=](int64_t bag, const int64_t* place, const int64_t* end) {
    T* to = result + bag * width;
    std::fill_n(to, width, T{});
    for (; place != end; ++place) {
      const int64_t row = *place;
      if (padding && row == *padding) continue;
      const T* from = table + bounded(row, rows) * width;
      for (int64_t j = 0; j < width; ++j) to[j] += from[j];
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
