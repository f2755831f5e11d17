// bag_maxima: from which row of a table the greatest element of each column of a bag comes.
#pragma once

#include <algorithm>
#include <optional>

#include <eagre/kernels/cpu/typed/bag.h>
#include <eagre/kernels/cpu/typed/check_index.h>

namespace eagre::kernels::cpu::typed {

// So many columns at once, whose best values stay near.
constexpr int64_t kMaximaColumns = 32;

// From which rows, of those that [place, end) names, the greatest of `columns` columns from `from`
// on come: of equal ones, the first.
template <class T>
void find_maxima(int64_t* to, const T* from, int64_t columns, const TensorView& weight,
                 const int64_t* place, const int64_t* end, std::optional<int64_t> padding) {
  const int64_t rows = weight.sizes[0], width = weight.sizes[1];
  T best[kMaximaColumns];
  bool is_first = true;
  std::fill_n(to, columns, int64_t{-1});
  for (; place != end; ++place) {
    if (padding && *place == *padding) continue;
    const int64_t row = scalar::bounded(*place, rows);
    const T* values = from + row * width;
    for (int64_t j = 0; j < columns; ++j) {
      const bool is_better = is_first || values[j] > best[j];
      best[j] = is_better ? values[j] : best[j];
      to[j] = is_better ? row : to[j];
    }
    is_first = false;
  }
}

template <class T>
void bag_maxima(const TensorView& out, const TensorView& weight, const TensorView& index,
                const TensorView& offset, std::optional<int64_t> padding) {
  const int64_t rows = weight.sizes[0], width = weight.sizes[1];
  check_index({"embedding_bag", "indices"}, index, rows, {});
  const T* table = weight.as<const T>();
  auto* result = out.as<int64_t>();
  for_each_bag(index, offset, width, [&](int64_t bag, const int64_t* place, const int64_t* end) {
    for (int64_t first = 0; first < width; first += kMaximaColumns) {
      const int64_t columns = std::min(kMaximaColumns, width - first);
      int64_t* to = result + bag * width + first;
      find_maxima(to, table + first, columns, weight, place, end, padding);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
