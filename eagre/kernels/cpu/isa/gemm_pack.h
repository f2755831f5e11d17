// Copies of blocks of matrices in the order in which the tiles of a product read them, in the type
// T that these compute in: halves become float on the way.
#pragma once

#include <algorithm>

#include <eagre/kernels/cpu/isa/gemm_tile.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
struct Matrix {
  const T* data;
  int64_t rows, columns, row_stride, column_stride;

  EAGRE_INLINE const T* at(int64_t row, int64_t column) const {
    return data + row * row_stride + column * column_stride;
  }
};

// The same matrix from `row` and `column` on.
template <class T>
Matrix<T> part_of(const Matrix<T>& m, int64_t row, int64_t column, int64_t rows, int64_t columns) {
  return {m.at(row, column), rows, columns, m.row_stride, m.column_stride};
}

template <class T>
constexpr int64_t kTileColumns = kTileVectors* Lanes<T>::kCount;

// Four rows of four in memory become four columns.
template <class T>
EAGRE_INLINE void transpose_four(T* to, int64_t to_stride, const T* from, int64_t from_stride) {
  static_assert(sizeof(T) == 4);
  typedef int32_t Four __attribute__((vector_size(16)));  // NOLINT: `using` takes no attribute
  Four row[4];
  for (int i = 0; i < 4; ++i) std::memcpy(&row[i], from + i * from_stride, 16);
  const Four low01 = __builtin_shuffle(row[0], row[1], Four{0, 4, 1, 5});
  const Four high01 = __builtin_shuffle(row[0], row[1], Four{2, 6, 3, 7});
  const Four low23 = __builtin_shuffle(row[2], row[3], Four{0, 4, 1, 5});
  const Four high23 = __builtin_shuffle(row[2], row[3], Four{2, 6, 3, 7});
  const Four column[4] = {__builtin_shuffle(low01, low23, Four{0, 1, 4, 5}),
                          __builtin_shuffle(low01, low23, Four{2, 3, 6, 7}),
                          __builtin_shuffle(high01, high23, Four{0, 1, 4, 5}),
                          __builtin_shuffle(high01, high23, Four{2, 3, 6, 7})};
  for (int i = 0; i < 4; ++i) std::memcpy(to + i * to_stride, &column[i], 16);
}

// to[k * kWidth + r] = from[r * stride + k] for the first `rows` of kWidth rows.
template <class T, int kWidth, class S>
EAGRE_INLINE void interleave(T* to, const S* from, int64_t stride, int64_t depth, int64_t rows) {
  int64_t k = 0;
  if constexpr (std::is_same_v<T, S> && sizeof(T) == 4) {
    const int64_t fours = rows / 4 * 4;
    for (; k + 4 <= depth; k += 4) {
      T* place = to + k * kWidth;
      for (int64_t r = 0; r < fours; r += 4) {
        transpose_four(place + r, kWidth, from + r * stride + k, stride);
      }
      for (int64_t r = fours; r < rows; ++r) {
        for (int i = 0; i < 4; ++i) place[i * kWidth + r] = from[r * stride + k + i];
      }
    }
  }
  for (; k < depth; ++k) {
    for (int64_t r = 0; r < rows; ++r) to[k * kWidth + r] = static_cast<T>(from[r * stride + k]);
  }
}

// A block of b as panels of kTileColumns columns. Of the last one, the tiles read only the columns
// that are there.
template <class T, class S>
void pack_columns(T* packed, const Matrix<S>& b) {
  constexpr int64_t kWidth = kTileColumns<T>;
  for (int64_t column = 0; column < b.columns; column += kWidth, packed += b.rows * kWidth) {
    const int64_t width = std::min(kWidth, b.columns - column);
    const S* from = b.at(0, column);
    if (b.row_stride == 1) {
      interleave<T, kWidth>(packed, from, b.column_stride, b.rows, width);
      continue;
    }
    for (int64_t k = 0; k < b.rows; ++k, from += b.row_stride) {
      T* to = packed + k * kWidth;
      if (width == kWidth && b.column_stride == 1) {
        for (int64_t j = 0; j < kWidth; ++j) to[j] = static_cast<T>(from[j]);
        continue;
      }
      for (int64_t j = 0; j < width; ++j) to[j] = static_cast<T>(from[j * b.column_stride]);
    }
  }
}

// Up to kTileRows rows of a, interleaved.
template <class T, class S, int kRows = kTileRows>
void pack_rows(T* packed, const Matrix<S>& a) {
  if constexpr (kRows > 1) {
    if (a.rows < kRows) return pack_rows<T, S, kRows - 1>(packed, a);
  }
  if (a.column_stride == 1) {
    return interleave<T, kRows>(packed, a.data, a.row_stride, a.columns, kRows);
  }
  for (int64_t k = 0; k < a.columns; ++k) {
    for (int r = 0; r < kRows; ++r) packed[k * kRows + r] = static_cast<T>(*a.at(r, k));
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
