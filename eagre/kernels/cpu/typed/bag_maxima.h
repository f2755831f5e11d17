// bag_maxima: from which row of a table the greatest element of each column of a bag comes.
#pragma once

#include <algorithm>
#include <optional>

#include <eagre/kernels/cpu/typed/bag.h>
#include <eagre/kernels/cpu/typed/check_index.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void bag_maxima(const TensorView& out, const TensorView& weight, const TensorView& index,
                const TensorView& offset, std::optional<int64_t> padding) {
  const int64_t rows = weight.sizes[0], width = weight.sizes[1];
  check_index({"embedding_bag", "indices"}, index, rows, {});
  const T* table = weight.as<const T>();
  auto* result = out.as<int64_t>();
  for_each_bag(index, offset, width, [=](int64_t bag, const int64_t* place, const int64_t* end) {
    int64_t* to = result + bag * width;
    std::fill_n(to, width, int64_t{-1});
    for (; place != end; ++place) {
      if (padding && *place == *padding) continue;
      const int64_t row = bounded(*place, rows);
      const T* from = table + row * width;
      for (int64_t j = 0; j < width; ++j) {
        if (to[j] < 0 || from[j] > table[to[j] * width + j]) to[j] = row;
      }
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
