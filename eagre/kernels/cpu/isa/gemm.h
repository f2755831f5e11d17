// Matrix products of any strides: small ones straight from the operands, large ones in blocks that
// are copied into the order in which the tiles read them. How the work is cut depends on the shape
// alone, so the number of threads cannot change a bit of the result: k is cut into blocks, and
// every element of the result adds up its blocks in order, whichever rows and columns a thread has.
#pragma once

#include <algorithm>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/gemm_pack.h>
#include <eagre/kernels/cpu/isa/gemm_tile.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// The result: rows are contiguous. Keeps alpha * product, or adds it to what is there.
template <class T>
struct Target {
  T* data;
  int64_t row_stride;
  T alpha = static_cast<T>(1);
  bool accumulate = false;
};

// A block of b stays in the L2 cache, a panel of a in L1.
constexpr int64_t kBlockDepth = 256;
template <class T>
constexpr int64_t kBlockColumns = 2048 / static_cast<int64_t>(sizeof(T));
// Up to here b stays in the L1 cache as it lies.
constexpr int64_t kDirectBytes = 32 * 1024;
// A longer sum is cut into blocks: Ctrl-C is looked for between them.
constexpr int64_t kDirectDepth = 1 << 20;

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

// Contiguous rows need no copy, unless they all fall into the same few sets of the L1
// cache.
template <class T>
bool reads_well(const Matrix<T>& a) {
  return a.column_stride == 1 && a.row_stride * static_cast<int64_t>(sizeof(T)) % 2048 != 0;
}

// Rows [first, last) of the product with one packed block of b.
template <class T, class S>
void multiply_block(const Target<T>& c, const Matrix<S>& a, const T* packed_b, int64_t columns,
                    int64_t first, int64_t last) {
  bool packs = true;
  Tile<T> tile{a.columns,       nullptr, a.row_stride, a.column_stride, nullptr,
               kTileColumns<T>, nullptr, c.row_stride, c.alpha,         c.accumulate};
  if constexpr (std::is_same_v<T, S>) packs = !reads_well(a);
  T* packed_a = nullptr;
  if (packs) {
    packed_a = static_cast<T*>(scratch(Scratch::kPanel, kTileRows * kBlockDepth * sizeof(T)));
    tile.a = packed_a;
  }
  for (int64_t row = first; row < last; row += kTileRows) {
    const int64_t rows = std::min<int64_t>(kTileRows, last - row);
    if (packs) pack_rows<T, S>(packed_a, part_of(a, row, 0, rows, a.columns));
    for (int64_t column = 0; column < columns; column += kTileColumns<T>) {
      tile.b = packed_b + column * a.columns;
      tile.c = c.data + row * c.row_stride + column;
      const int64_t width = std::min(kTileColumns<T>, columns - column);
      if (packs) {
        multiply_tile_of<T, true>(rows, width, tile);
      } else if constexpr (std::is_same_v<T, S>) {
        tile.a = a.at(row, 0);
        multiply_tile_of<T, false>(rows, width, tile);
      }
    }
  }
}

// A block of b is packed once and read by all threads.
template <class T, class S>
void pack_block(T* packed, const Matrix<S>& b) {
  constexpr int64_t kWidth = kTileColumns<T>;
  share((b.columns + kWidth - 1) / kWidth, b.rows * kWidth, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * kWidth;
    const int64_t columns = std::min(end * kWidth, b.columns) - first;
    pack_columns<T, S>(packed + first * b.rows, part_of(b, 0, first, b.rows, columns));
  });
}

template <class T, class S>
void multiply_shared(const Target<T>& c, const Matrix<S>& a, const T* packed_b, int64_t columns) {
  share_steps(a.rows, kTileRows, a.columns * columns, kSharedProducts,
              [&](int64_t begin, int64_t end) {
                multiply_block<T, S>(c, a, packed_b, columns, begin, end);
              });
}

template <class T>
T* block_scratch() {
  return static_cast<T*>(scratch(Scratch::kBlock, kBlockDepth * (kBlockColumns<T>)*sizeof(T)));
}

template <class T>
void multiply_blocked(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b) {
  T* packed = block_scratch<T>();
  for (int64_t column = 0; column < b.columns; column += kBlockColumns<T>) {
    const int64_t columns = std::min(kBlockColumns<T>, b.columns - column);
    for (int64_t k = 0; k < a.columns; k += kBlockDepth) {
      const int64_t depth = std::min(kBlockDepth, a.columns - k);
      pack_block<T, T>(packed, part_of(b, k, column, depth, columns));
      const Target<T> block{c.data + column, c.row_stride, c.alpha, c.accumulate || k > 0};
      multiply_shared<T, T>(block, part_of(a, 0, k, a.rows, depth), packed, columns);
      poll_interrupt(a.rows * columns * depth);
    }
  }
}

// Few rows are shared by columns, many by rows.
template <class T>
void multiply_direct_shared(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b) {
  if (a.rows <= kTileRows) {
    return share_steps(b.columns, kTileColumns<T>, a.rows * a.columns, kSharedProducts,
                       [&](int64_t begin, int64_t end) {
                         const Target<T> part{c.data + begin, c.row_stride, c.alpha, c.accumulate};
                         multiply_direct(part, a, b.at(0, begin), b.row_stride, end - begin);
                       });
  }
  share_steps(
      a.rows, kTileRows, a.columns * b.columns, kSharedProducts, [&](int64_t begin, int64_t end) {
        const Target<T> part{c.data + begin * c.row_stride, c.row_stride, c.alpha, c.accumulate};
        multiply_direct(part, part_of(a, begin, 0, end - begin, a.columns), b.data, b.row_stride,
                        b.columns);
      });
}

template <class T>
void multiply(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b) {
  const int64_t b_bytes = b.rows * b.columns * static_cast<int64_t>(sizeof(T));
  const bool is_flat = a.rows <= kTileRows / 2 && a.columns <= kDirectDepth;
  if (b_bytes <= kDirectBytes || is_flat) {
    if (b.column_stride == 1) return multiply_direct_shared(c, a, b);
  }
  multiply_blocked(c, a, b);
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
