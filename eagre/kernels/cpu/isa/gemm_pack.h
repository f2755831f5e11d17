// Copies of blocks of matrices in the order in which the tiles of a product read them, in the type
// T that these compute in: halves become float on the way.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <eagre/core/half.h>
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
constexpr int64_t kTileColumns = kTileVectors* kVectorBytes / static_cast<int64_t>(sizeof(T));

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

// The same of four rows of a vector each, whose lanes of four elements are turned one by one.
template <class T>
class FourRows {
  static_assert(sizeof(T) == 4);
  static constexpr int kCount = Lanes<T>::kCount;

 public:
  static EAGRE_INLINE void transpose(T* to, int64_t to_stride, const T* from, int64_t from_stride) {
    turn(to, to_stride, from, from_stride, std::make_integer_sequence<int, kCount>());
  }

 private:
  using Vector = typename Lanes<T>::Vector;

  // Lane by lane: places in the lane, the second half of them in the second vector.
  static constexpr int place(int element, int first, int second, int third, int fourth) {
    const int places[4] = {first, second, third, fourth};
    const int wanted = places[element % 4];
    return element / 4 * 4 + wanted % 4 + wanted / 4 * kCount;
  }

  template <int... k>
  static EAGRE_INLINE void turn(T* to, int64_t to_stride, const T* from, int64_t from_stride,
                                std::integer_sequence<int, k...>) {
    const Vector row[4] = {Lanes<T>::load(from), Lanes<T>::load(from + from_stride),
                           Lanes<T>::load(from + 2 * from_stride),
                           Lanes<T>::load(from + 3 * from_stride)};
    const Vector low01 = __builtin_shufflevector(row[0], row[1], place(k, 0, 4, 1, 5)...);
    const Vector high01 = __builtin_shufflevector(row[0], row[1], place(k, 2, 6, 3, 7)...);
    const Vector low23 = __builtin_shufflevector(row[2], row[3], place(k, 0, 4, 1, 5)...);
    const Vector high23 = __builtin_shufflevector(row[2], row[3], place(k, 2, 6, 3, 7)...);
    const Vector column[4] = {__builtin_shufflevector(low01, low23, place(k, 0, 1, 4, 5)...),
                              __builtin_shufflevector(low01, low23, place(k, 2, 3, 6, 7)...),
                              __builtin_shufflevector(high01, high23, place(k, 0, 1, 4, 5)...),
                              __builtin_shufflevector(high01, high23, place(k, 2, 3, 6, 7)...)};
    (store_column<k / 4 * 4>(to + k * to_stride, column[k % 4]), ...);
  }

  template <int kFirst>
  static EAGRE_INLINE void store_column(T* to, Vector v) {
    const auto four = __builtin_shufflevector(v, v, kFirst, kFirst + 1, kFirst + 2, kFirst + 3);
    std::memcpy(to, &four, sizeof(four));
  }
};

// to[k * kWidth + r] = from[r * stride + k] for the first `rows` of kWidth rows. A vector of each
// row is read at once, so that no line of memory is needed twice.
template <class T, int kWidth, class S>
EAGRE_INLINE void interleave(T* to, const S* from, int64_t stride, int64_t depth, int64_t rows) {
  int64_t k = 0;
  if constexpr (std::is_same_v<T, S> && sizeof(T) == 4) {
    const int64_t fours = rows / 4 * 4;
    const auto in_steps = [&]<int kStep>(std::integral_constant<int, kStep>, const auto& turn) {
      for (; k + kStep <= depth; k += kStep) {
        T* place = to + k * kWidth;
        for (int64_t r = 0; r < fours; r += 4) turn(place + r, from + r * stride + k);
        for (int64_t r = fours; r < rows; ++r) {
          const S* row = from + r * stride + k;
          for (int i = 0; i < kStep; ++i) std::memcpy(place + i * kWidth + r, row + i, sizeof(T));
        }
      }
    };
    if constexpr (Lanes<T>::kCount > 4) {
      in_steps(std::integral_constant<int, Lanes<T>::kCount>(), [&](T* place, const T* rows_at) {
        FourRows<T>::transpose(place, kWidth, rows_at, stride);
      });
    }
    in_steps(std::integral_constant<int, 4>(),
             [&](T* place, const T* rows_at) { transpose_four(place, kWidth, rows_at, stride); });
  }
  for (; k < depth; ++k) {
    for (int64_t r = 0; r < rows; ++r) {
      if constexpr (std::is_same_v<T, S>) {
        std::memcpy(to + k * kWidth + r, from + r * stride + k, sizeof(T));
      } else {
        to[k * kWidth + r] = static_cast<T>(from[r * stride + k]);
      }
    }
  }
}

// Pairs along the columns of m, which are interleaved as above: to[p * kWidth + r] holds columns
// 2 * p and 2 * p + 1 of row r. Behind an odd last one comes a zero.
template <int kWidth>
EAGRE_INLINE void interleave_pairs(Bf16Pair* to, const Matrix<BFloat16>& m) {
  const auto pair = [](BFloat16 first, BFloat16 second) {
    return static_cast<Bf16Pair>(first.bits | static_cast<uint32_t>(second.bits) << 16);
  };
  const int64_t whole = m.columns / 2;
  if (m.column_stride == 1 && m.row_stride % 2 == 0) {  // pairs as they lie, if not aligned
    interleave<int32_t, kWidth>(reinterpret_cast<int32_t*>(to),
                                reinterpret_cast<const int32_t*>(m.data), m.row_stride / 2, whole,
                                m.rows);
  } else {
    for (int64_t p = 0; p < whole; ++p) {
      const BFloat16* first = m.at(0, 2 * p);
      const BFloat16* second = m.at(0, 2 * p + 1);
      Bf16Pair* place = to + p * kWidth;
      if (m.row_stride == 1) {
        for (int64_t r = 0; r < m.rows; ++r) place[r] = pair(first[r], second[r]);
      } else {
        for (int64_t r = 0; r < m.rows; ++r) {
          place[r] = pair(first[r * m.row_stride], second[r * m.row_stride]);
        }
      }
    }
  }
  if (m.columns % 2 == 0) return;
  for (int64_t r = 0; r < m.rows; ++r) to[whole * kWidth + r] = pair(*m.at(r, 2 * whole), {});
}

// A block of b as panels of kTileColumns columns. Of the last one, the tiles read only the columns
// that are there.
template <class T, class S>
void pack_columns(T* packed, const Matrix<S>& b) {
  constexpr int64_t kWidth = kTileColumns<T>;
  const int64_t whole = b.columns / kWidth * kWidth;
  if (b.row_stride == 1) {
    for (int64_t column = 0; column < b.columns; column += kWidth) {
      const int64_t width = std::min(kWidth, b.columns - column);
      interleave<T, kWidth>(packed + column * b.rows, b.at(0, column), b.column_stride, b.rows,
                            width);
    }
    return;
  }
  for (int64_t k = 0; k < b.rows; ++k) {
    const S* from = b.at(k, 0);
    T* to = packed + k * kWidth;
    int64_t column = 0;
    if (b.column_stride == 1) {
      for (; column < whole; column += kWidth, from += kWidth, to += b.rows * kWidth) {
        for (int64_t j = 0; j < kWidth; ++j) to[j] = static_cast<T>(from[j]);
      }
    }
    for (; column < b.columns; column += kWidth, to += b.rows * kWidth) {
      const int64_t width = std::min(kWidth, b.columns - column);
      for (int64_t j = 0; j < width; ++j, from += b.column_stride) to[j] = static_cast<T>(*from);
    }
  }
}
template <class T, class S>
requires std::is_same_v<T, Bf16Pair>
void pack_columns(T* packed, const Matrix<S>& b) {
  constexpr int64_t kWidth = kTileColumns<T>;
  const int64_t depth = (b.rows + 1) / 2;
  for (int64_t column = 0; column < b.columns; column += kWidth) {
    const int64_t width = std::min(kWidth, b.columns - column);
    interleave_pairs<kWidth>(packed + column * depth,
                             {b.at(0, column), width, b.rows, b.column_stride, b.row_stride});
  }
}

// Up to kTileRows rows of a, interleaved.
template <class T, class S, int kRows = kTileRows>
void pack_rows(T* packed, const Matrix<S>& a) {
  if constexpr (kRows > 1) {
    if (a.rows < kRows) return pack_rows<T, S, kRows - 1>(packed, a);
  }
  if constexpr (std::is_same_v<T, Bf16Pair>) {
    interleave_pairs<kRows>(packed, a);
  } else if (a.column_stride == 1) {
    interleave<T, kRows>(packed, a.data, a.row_stride, a.columns, kRows);
  } else {
    for (int64_t k = 0; k < a.columns; ++k) {
      for (int r = 0; r < kRows; ++r) packed[k * kRows + r] = static_cast<T>(*a.at(r, k));
    }
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
