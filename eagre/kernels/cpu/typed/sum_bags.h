// sum_bags: sums of the rows of a table that belong to one bag.
#pragma once

#include <algorithm>
#include <optional>

#include <eagre/kernels/cpu/typed/bag.h>
#include <eagre/kernels/cpu/typed/check_index.h>

namespace eagre::kernels::cpu::typed {

// So many columns at once, whose sums stay in registers.
constexpr int64_t kBagColumns = 32;

// Sums of `columns` columns from `from` on, of the rows that [place, end) names. Rows up to the one
// that `last` names are asked for before their turn, as they may lie anywhere.
template <class T>
void sum_bag(T* to, const T* from, int64_t columns, const TensorView& weight, const int64_t* place,
             const int64_t* end, const int64_t* last, std::optional<int64_t> padding) {
  constexpr int64_t kAhead = 16, kLine = 64 / sizeof(T);
  const int64_t rows = weight.sizes[0], width = weight.sizes[1];
  T sums[kBagColumns] = {};
  for (; place != end; ++place) {
    if (last - place > kAhead) {
      const T* later = from + scalar::bounded(place[kAhead], rows) * width;
      for (int64_t j = 0; j < columns; j += kLine) __builtin_prefetch(later + j);
    }
    if (padding && *place == *padding) continue;
    const T* row = from + scalar::bounded(*place, rows) * width;
    if (columns == kBagColumns) {
      for (int64_t j = 0; j < kBagColumns; ++j) sums[j] += row[j];
    } else {
      for (int64_t j = 0; j < columns; ++j) sums[j] += row[j];
    }
  }
  std::copy_n(sums, columns, to);
}

template <class T>
void sum_bags(const TensorView& out, const TensorView& weight, const TensorView& index,
              const TensorView& offset, std::optional<int64_t> padding) {
  const int64_t rows = weight.sizes[0], width = weight.sizes[1];
  check_index({"embedding_bag", "indices"}, index, rows, {});
  const T* table = weight.as<const T>();
  T* result = out.as<T>();
  const int64_t* last = index.as<const int64_t>() + index.numel;
  for_each_bag(index, offset, width, [&](int64_t bag, const int64_t* place, const int64_t* end) {
    for (int64_t first = 0; first < width; first += kBagColumns) {
      const int64_t columns = std::min(kBagColumns, width - first);
      sum_bag(result + bag * width + first, table + first, columns, weight, place, end, last,
              padding);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
