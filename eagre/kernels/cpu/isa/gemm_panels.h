// Products with a matrix that is packed once and multiplied many times.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/kernels/cpu/isa/gemm_pack.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
Matrix<T> turned(const Matrix<T>& m) {
  return {m.data, m.columns, m.rows, m.column_stride, m.row_stride};
}
template <class T>
Matrix<T> rows_of(const Matrix<T>& m, int64_t first, int64_t count) {
  return part_of(m, first, 0, count, m.columns);
}

// A matrix in the order in which tiles read it.
template <class T>
struct Panels {
  const T* data;
  int64_t rows, columns;

  // `room` is for room(rows, columns) elements.
  static Panels pack(T* room, const Matrix<T>& m) {
    pack_columns<T, T>(room, m);
    return {room, m.rows, m.columns};
  }
  static constexpr int64_t room(int64_t rows, int64_t columns) {
    return rows * ((columns + kTileColumns<T> - 1) / kTileColumns<T> * kTileColumns<T>);
  }
};

// Rows whose elements fall into the same few sets of the caches push each other out while tiles
// read them side by side; a copy in `room`, for spread_room(rows, columns) elements, does not.
constexpr int64_t kSpread = 16;
constexpr int64_t spread_room(int64_t rows, int64_t columns) { return rows * (columns + kSpread); }
template <class T>
Matrix<T> spread(const Matrix<T>& a, T* room) {
  constexpr int64_t kPageBytes = 4096;
  if (a.rows == 1 || a.row_stride * static_cast<int64_t>(sizeof(T)) % kPageBytes != 0) return a;
  const int64_t stride = a.columns + kSpread;
  for (int64_t i = 0; i < a.rows; ++i) std::copy_n(a.at(i, 0), a.columns, room + i * stride);
  return {room, a.rows, a.columns, stride, 1};
}

// c = alpha * a @ b (+ c)
template <class T>
void multiply_panels(T* c, int64_t c_row, const Matrix<T>& a, const Panels<T>& b, T alpha,
                     bool accumulate) {
  Tile<T> tile{a.columns,       nullptr, a.row_stride, a.column_stride, nullptr,
               kTileColumns<T>, nullptr, c_row,        alpha,           accumulate};
  // Tiles of about the same height: one of few rows would wait for its own sums.
  const int64_t tiles = (a.rows + kTileRows - 1) / kTileRows;
  const int64_t height = tiles == 0 ? 1 : (a.rows + tiles - 1) / tiles;
  for (int64_t column = 0; column < b.columns; column += kTileColumns<T>) {
    tile.b = b.data + column * b.rows;
    const int64_t columns = std::min(kTileColumns<T>, b.columns - column);
    for (int64_t row = 0; row < a.rows; row += height) {
      tile.a = a.at(row, 0);
      tile.c = c + row * c_row + column;
      multiply_tile_of<T, false>(std::min(height, a.rows - row), columns, tile);
    }
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
