// Matrix products of any strides: small ones straight from the operands, large ones in blocks that
// are copied into the order in which the tiles read them. How the work is cut depends on the shape
// alone, so the number of threads cannot change a bit of the result.
#pragma once

#include <algorithm>

#include <eagre/kernels/cpu/levels/gemm_pack.h>
#include <eagre/kernels/cpu/levels/gemm_tile.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

// The result: rows are contiguous. Keeps alpha * product, or adds it to what is there.
template <class T>
struct Target {
  T* data;
  int64_t row_stride;
  T alpha = 1;
  bool accumulate = false;
};

// A block of b stays in the second-level cache, a panel of a in the first.
constexpr int64_t kBlockDepth = 256;
template <class T>
constexpr int64_t kBlockColumns = 2048 / static_cast<int64_t>(sizeof(T));
// Up to here b stays in the first-level cache as it lies.
constexpr int64_t kDirectBytes = 32 * 1024;

// Rows of b next to each other need no copy.
template <class T>
void multiply_direct(const Target<T>& c, const Matrix<T>& a, const T* b, int64_t b_row, int64_t n) {
  Tile<T> tile{a.columns, nullptr, a.row_stride, a.column_stride, nullptr,
               b_row,     nullptr, c.row_stride, c.alpha,         c.accumulate};
  for (int64_t row = 0; row < a.rows; row += kTileRows) {
    const int64_t rows = std::min<int64_t>(kTileRows, a.rows - row);
    tile.a = a.at(row, 0);
    for (int64_t column = 0; column < n; column += kTileColumns<T>) {
      tile.b = b + column;
      tile.c = c.data + row * c.row_stride + column;
      multiply_tile_of<T, false>(rows, std::min(kTileColumns<T>, n - column), tile);
    }
  }
}

// Contiguous rows need no copy, unless they all fall into the same few sets of the first-level
// cache.
template <class T>
bool reads_well(const Matrix<T>& a) {
  return a.column_stride == 1 && a.row_stride * static_cast<int64_t>(sizeof(T)) % 2048 != 0;
}

// Rows [first, last) of the product with one packed block of b.
template <class T>
void multiply_block(const Target<T>& c, const Matrix<T>& a, const T* packed_b, int64_t columns,
                    int64_t first, int64_t last) {
  const bool packs = !reads_well(a);
  T* packed_a = packs
                    ? static_cast<T*>(scratch(Scratch::kPanel, kTileRows * kBlockDepth * sizeof(T)))
                    : nullptr;
  Tile<T> tile{a.columns,       packed_a, a.row_stride, a.column_stride, nullptr,
               kTileColumns<T>, nullptr,  c.row_stride, c.alpha,         c.accumulate};
  for (int64_t row = first; row < last; row += kTileRows) {
    const int64_t rows = std::min<int64_t>(kTileRows, last - row);
    if (packs) {
      pack_rows(packed_a, Matrix<T>{a.at(row, 0), rows, a.columns, a.row_stride, a.column_stride});
    } else {
      tile.a = a.at(row, 0);
    }
    for (int64_t column = 0; column < columns; column += kTileColumns<T>) {
      tile.b = packed_b + column * a.columns;
      tile.c = c.data + row * c.row_stride + column;
      const int64_t width = std::min(kTileColumns<T>, columns - column);
      if (packs) {
        multiply_tile_of<T, true>(rows, width, tile);
      } else {
        multiply_tile_of<T, false>(rows, width, tile);
      }
    }
  }
}

template <class T>
void multiply_blocked(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b) {
  T* packed = static_cast<T*>(scratch(Scratch::kBlock, kBlockDepth * (kBlockColumns<T>)*sizeof(T)));
  for (int64_t column = 0; column < b.columns; column += kBlockColumns<T>) {
    const int64_t columns = std::min(kBlockColumns<T>, b.columns - column);
    for (int64_t k = 0; k < a.columns; k += kBlockDepth) {
      const int64_t depth = std::min(kBlockDepth, a.columns - k);
      pack_columns(packed,
                   Matrix<T>{b.at(k, column), depth, columns, b.row_stride, b.column_stride});
      const Target<T> block{c.data + column, c.row_stride, c.alpha, c.accumulate || k > 0};
      const Matrix<T> slice{a.at(0, k), a.rows, depth, a.row_stride, a.column_stride};
      multiply_block(block, slice, packed, columns, 0, a.rows);
    }
  }
}

template <class T>
void multiply(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b) {
  const int64_t b_bytes = b.rows * b.columns * static_cast<int64_t>(sizeof(T));
  if (b_bytes <= kDirectBytes || a.rows <= kTileRows / 2) {
    if (b.column_stride == 1) return multiply_direct(c, a, b.data, b.row_stride, b.columns);
  }
  multiply_blocked(c, a, b);
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
