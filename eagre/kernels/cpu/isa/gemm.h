// Matrix products of any strides: small ones straight from the operands, large ones in blocks that
// are copied into the order in which the tiles read them. k is cut into blocks that depend on the
// shape alone, and every element of the result adds up its blocks in order, so the number of
// threads cannot change a bit of it: tiles of rows and columns follow caches and threads.
#pragma once

#include <algorithm>
#include <numeric>

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

// What is packed at once: k is cut into pieces of about the same depth, which follow from k alone.
constexpr int64_t kMostDepth = 384;
constexpr int64_t kBlockRows = 2160;  // whole tiles of every isa
template <class T>
constexpr int64_t kBlockColumns = 8192 / static_cast<int64_t>(sizeof(T));
// Panels of b that stay in the L2 cache while rows of a go by.
template <class T>
constexpr int64_t kCachedPanels = 2048 / static_cast<int64_t>(sizeof(T)) / kTileColumns<T>;
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

constexpr int64_t panels_of(int64_t length, int64_t width) { return (length + width - 1) / width; }

// In terms, of which elements of type T hold one or more.
template <class T>
EAGRE_INLINE int64_t depth_of_blocks(int64_t k) {
  const int64_t elements = panels_of(k, Terms<T>::kPerElement);
  return panels_of(elements, panels_of(elements, kMostDepth)) * Terms<T>::kPerElement;
}

// Blocks of about the same length, whole panels but for the last: a short one would cost a copy of
// the other side for little work. `most` is whole panels.
constexpr int64_t length_of_blocks(int64_t length, int64_t most, int64_t width) {
  const int64_t each = panels_of(length, panels_of(length, most));
  return panels_of(each, width) * width;
}

// A side of a block as the tiles read it: panels of kTileRows rows, or of kTileColumns columns.
template <class T>
struct Side {
  const T* data;
  int64_t panel;        // from one panel to the next
  int64_t row, column;  // steps within one
  bool is_packed;
};

// Rows of a that lie well need no copy, unless all fall into the same few sets of the L1 cache.
constexpr int64_t kPage = 4096;
template <class T>
bool reads_well(const Matrix<T>& a) {
  return a.column_stride == 1 && a.row_stride * static_cast<int64_t>(sizeof(T)) % kPage != 0;
}

// Do the rows of a panel of b fall into so few sets of the L1 cache that they push each other out?
constexpr int64_t kSets = 64, kWays = 8;
template <class T>
bool crowds(const Matrix<T>& b) {
  const int64_t bytes = b.row_stride * static_cast<int64_t>(sizeof(T));
  if (bytes == 0 || bytes % Ahead::kLine != 0) return false;
  const int64_t lines = kTileColumns<T> * static_cast<int64_t>(sizeof(T)) / Ahead::kLine;
  const int64_t apart = std::gcd(bytes / Ahead::kLine, kSets);
  return b.rows * lines > kWays * std::min(kSets / apart * lines, kSets);
}

// Nor do those of b that few rows of a read, unless each lies in a page of its own or they crowd.
constexpr int64_t kRowsForPacking = 600, kRowsForCrowded = 96;
template <class T>
bool is_worth_packing(const Matrix<T>& b, int64_t rows_of_a) {
  if (b.column_stride != 1) return true;
  const bool is_wide = b.row_stride * static_cast<int64_t>(sizeof(T)) >= kPage;
  if (is_wide) return rows_of_a >= kTileRows;
  return rows_of_a >= kRowsForPacking || (rows_of_a >= kRowsForCrowded && crowds(b));
}

// One block of a product: elements S, packed as T. Sides that do not lie well are packed first, by
// all threads; then all threads multiply tiles.
template <class T, class S>
class Block {
  using Sum = typename Terms<T>::Sum;

 public:
  Block(const Matrix<S>& a, const Matrix<S>& b) : a_(a), b_(b) {
    if constexpr (std::is_same_v<T, S>) {
      packs_a_ = !reads_well(a);
      packs_b_ = is_worth_packing(b, a.rows);
    }
  }

  // How many elements the packed sides take.
  int64_t packed_a_numel() const { return packs_a_ ? a_.rows * depth() : 0; }
  int64_t packed_b_numel() const {
    return packs_b_ ? panels_of(b_.columns, kTileColumns<T>) * kTileColumns<T> * depth() : 0;
  }

  // The side a of another block, packed by it.
  void share_left(const Side<T>& left) {
    left_ = left;
    has_left_ = true;
  }
  const Side<T>& left() const { return left_; }

  void pack(T* a_memory, T* b_memory) {
    const int64_t depth = this->depth();
    const int64_t a_panels = packs_a_ && !has_left_ ? panels_of(a_.rows, kTileRows) : 0;
    const int64_t b_panels = packs_b_ ? panels_of(b_.columns, kTileColumns<T>) : 0;
    constexpr int64_t kLeast = 8192;  // elements; multiplying follows, so threads are awake
    // Panels next to each other are copied together, as their rows lie in memory.
    const int64_t a_group =
        lies_by_columns() ? std::clamp<int64_t>(a_panels / get_num_threads(), 1, kMostOfA) : 1;
    const int64_t grain = std::max(kLeast / (depth * kTileRows) + 1, a_group);
    const int64_t b_group = std::clamp<int64_t>(b_panels / get_num_threads(), 1, kMostTogether);
    const int64_t b_grain = std::max(kLeast / (depth * kTileColumns<T>)+1, b_group);
    const int64_t a_chunks = panels_of(a_panels, grain);
    each_task(a_chunks + panels_of(b_panels, b_grain), [&](int64_t chunk) {
      if (chunk < a_chunks) {
        pack_a_panels(a_memory, chunk * grain, std::min((chunk + 1) * grain, a_panels));
      } else {
        const int64_t begin = (chunk - a_chunks) * b_grain;
        pack_b_panels(b_memory, begin, std::min(begin + b_grain, b_panels));
      }
    });
    if (packs_a_ && !has_left_) left_ = {a_memory, kTileRows * depth, 1, kTileRows, true};
    if (packs_b_) right_ = {b_memory, kTileColumns<T> * depth, kTileColumns<T>, 1, true};
    if constexpr (std::is_same_v<T, S>) {
      if (!packs_a_ && !has_left_)
        left_ = {a_.data, kTileRows * a_.row_stride, a_.row_stride, 1, false};
      if (!packs_b_) right_ = {b_.data, kTileColumns<T>, b_.row_stride, 1, false};
    }
  }

  void multiply(const Target<Sum>& c) const {
    const int64_t row_panels = panels_of(a_.rows, kTileRows);
    const int64_t column_panels = panels_of(b_.columns, kTileColumns<T>);
    // Several tasks for each thread, but not more than are worth it.
    const int64_t work = a_.columns * kTileRows * kTileColumns<T>;
    const int64_t wanted = row_panels * column_panels / (4 * get_num_threads());
    const int64_t tiles = std::clamp<int64_t>(wanted, kLeastTask / work + 1, 2 * kCachedPanels<T>);
    const int64_t width = std::min({tiles, column_panels, kCachedPanels<T>});
    const int64_t height = std::min(tiles / width, row_panels);
    const int64_t tasks_down = panels_of(row_panels, height);
    each_task(tasks_down * panels_of(column_panels, width), [&](int64_t task) {
      // Those that follow each other, which one thread has, read the same panels of b.
      const int64_t row = task % tasks_down * height, column = task / tasks_down * width;
      multiply_tiles(c, row, std::min(row + height, row_panels), column,
                     std::min(column + width, column_panels));
    });
  }

 private:
  static constexpr int64_t kLeastTask = 1 << 16;  // multiplications
  static constexpr int64_t kMostTogether = 4;
  static constexpr int64_t kMostOfA = 16;

  int64_t depth() const { return panels_of(a_.columns, Terms<T>::kPerElement); }

  // f(task) for all of them, shared between threads unless the whole block is soon done.
  template <class F>
  void each_task(int64_t count, const F& f) const {
    if (a_.rows * a_.columns * b_.columns < 2 * kSharedProducts) {
      for (int64_t task = 0; task < count; ++task) f(task);
      return;
    }
    parallel_for(0, count, 1, [&](int64_t task, int64_t) { f(task); });
  }

  // Is a the transpose of rows? Those may be so far apart that no cache keeps a line of each until
  // the next panel wants it.
  bool lies_by_columns() const {
    return a_.row_stride == 1 && a_.column_stride != 1 && Terms<T>::kPerElement == 1;
  }

  void pack_a_panels(T* memory, int64_t begin, int64_t end) const {
    if constexpr (Terms<T>::kPerElement == 1) {
      const int64_t whole = lies_by_columns() ? std::min(end, a_.rows / kTileRows) : begin;
      for (int64_t k = 0; begin < whole && k < a_.columns; ++k) {
        const S* from = a_.at(begin * kTileRows, k);
        T* to = memory + begin * kTileRows * depth() + k * kTileRows;
        for (int64_t i = begin; i < whole; ++i, from += kTileRows, to += kTileRows * depth()) {
          for (int r = 0; r < kTileRows; ++r) to[r] = static_cast<T>(from[r]);
        }
      }
      begin = whole;
    }
    for (int64_t i = begin; i < end; ++i) pack_a_panel(memory, i);
  }
  void pack_a_panel(T* memory, int64_t i) const {
    const int64_t row = i * kTileRows;
    const int64_t rows = std::min<int64_t>(kTileRows, a_.rows - row);
    pack_rows<T, S>(memory + row * depth(), part_of(a_, row, 0, rows, a_.columns));
  }
  void pack_b_panels(T* memory, int64_t begin, int64_t end) const {
    const int64_t column = begin * kTileColumns<T>;
    const int64_t columns = std::min(end * kTileColumns<T>, b_.columns) - column;
    pack_columns<T, S>(memory + column * depth(), part_of(b_, 0, column, b_.rows, columns));
  }

  void multiply_tiles(const Target<Sum>& c, int64_t first_row, int64_t last_row,
                      int64_t first_column, int64_t last_column) const {
    Tile<T> tile{depth(),    nullptr, left_.row,    left_.column, nullptr,
                 right_.row, nullptr, c.row_stride, c.alpha,      c.accumulate};
    for (int64_t i = first_row; i < last_row; ++i) {
      const int64_t row = i * kTileRows;
      const int64_t rows = std::min<int64_t>(kTileRows, a_.rows - row);
      tile.a = left_.data + i * left_.panel;
      for (int64_t j = first_column; j < last_column; ++j) {
        const int64_t column = j * kTileColumns<T>;
        const int64_t columns = std::min(kTileColumns<T>, b_.columns - column);
        tile.b = right_.data + j * right_.panel;
        tile.c = c.data + row * c.row_stride + column;
        if (left_.is_packed) {
          multiply_tile_of<T, true>(rows, columns, tile);
        } else if constexpr (std::is_same_v<T, S>) {
          multiply_tile_of<T, false>(rows, columns, tile);
        }
      }
    }
  }

  const Matrix<S> a_, b_;
  bool packs_a_ = true, packs_b_ = true, has_left_ = false;
  Side<T> left_{}, right_{};
};

template <class T>
T* pack_memory(Scratch use, int64_t numel) {
  return static_cast<T*>(scratch(use, static_cast<size_t>(numel) * sizeof(T)));
}

template <class T>
void multiply_blocked(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b) {
  const int64_t depth = depth_of_blocks<T>(a.columns);
  const int64_t height = length_of_blocks(a.rows, kBlockRows, kTileRows);
  const int64_t width = length_of_blocks(b.columns, kBlockColumns<T>, kTileColumns<T>);
  for (int64_t row = 0; row < a.rows; row += height) {
    const int64_t rows = std::min(height, a.rows - row);
    for (int64_t column = 0; column < b.columns; column += width) {
      const int64_t columns = std::min(width, b.columns - column);
      for (int64_t k = 0; k < a.columns; k += depth) {
        const int64_t terms = std::min(depth, a.columns - k);
        Block<T, T> block(part_of(a, row, k, rows, terms), part_of(b, k, column, terms, columns));
        block.pack(pack_memory<T>(Scratch::kPanel, block.packed_a_numel()),
                   pack_memory<T>(Scratch::kBlock, block.packed_b_numel()));
        block.multiply(
            {c.data + row * c.row_stride + column, c.row_stride, c.alpha, c.accumulate || k > 0});
        poll_interrupt(rows * columns * terms);
      }
    }
  }
}

// Several products with the same a, which is packed once.
template <class T>
struct RightSide {
  Target<T> c;
  Matrix<T> b;
};
template <class T, size_t kCount>
void multiply_each(const Matrix<T>& a, const RightSide<T> (&sides)[kCount]) {
  if (a.rows == 0) return;
  const int64_t depth = depth_of_blocks<T>(a.columns);
  const int64_t height = length_of_blocks(a.rows, kBlockRows, kTileRows);
  for (int64_t row = 0; row < a.rows; row += height) {
    const int64_t rows = std::min(height, a.rows - row);
    for (int64_t k = 0; k < a.columns; k += depth) {
      const int64_t terms = std::min(depth, a.columns - k);
      Side<T> left{};
      bool is_packed = false;
      for (const auto& [c, b] : sides) {
        if (b.columns == 0) continue;
        const int64_t width = length_of_blocks(b.columns, kBlockColumns<T>, kTileColumns<T>);
        for (int64_t column = 0; column < b.columns; column += width) {
          const int64_t columns = std::min(width, b.columns - column);
          Block<T, T> block(part_of(a, row, k, rows, terms), part_of(b, k, column, terms, columns));
          if (is_packed) block.share_left(left);
          block.pack(pack_memory<T>(Scratch::kPanel, block.packed_a_numel()),
                     pack_memory<T>(Scratch::kBlock, block.packed_b_numel()));
          left = block.left();
          is_packed = true;
          block.multiply(
              {c.data + row * c.row_stride + column, c.row_stride, c.alpha, c.accumulate || k > 0});
          poll_interrupt(rows * columns * terms);
        }
      }
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

// Panel after panel of b, each copied, if at all, just before all rows of a use it.
template <class T>
void multiply_by_panels(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b, bool packs,
                        Ahead ahead = {}) {
  const int64_t depth = depth_of_blocks<T>(a.columns);
  T* panel = packs ? pack_memory<T>(Scratch::kBlock, kTileColumns<T> * depth) : nullptr;
  Tile<T> tile{depth,           nullptr, a.row_stride, a.column_stride, panel,
               kTileColumns<T>, nullptr, c.row_stride, c.alpha,         c.accumulate};
  if (!packs) tile.b_row = b.row_stride;
  for (int64_t column = 0; column < b.columns; column += kTileColumns<T>) {
    const int64_t columns = std::min(kTileColumns<T>, b.columns - column);
    for (int64_t k = 0; k < a.columns; k += depth) {
      tile.depth = std::min(depth, a.columns - k);
      tile.accumulate = c.accumulate || k > 0;
      if (packs) {
        pack_columns<T>(panel, part_of(b, k, column, tile.depth, columns));
      } else {
        tile.b = b.at(k, column);
      }
      for (int64_t row = 0; row < a.rows; row += kTileRows) {
        tile.a = a.at(row, k);
        tile.c = c.data + row * c.row_stride + column;
        const int64_t rows = std::min<int64_t>(kTileRows, a.rows - row);
        if (rows == kTileRows && columns == kTileColumns<T>) tile.ahead = ahead.take(tile.depth);
        multiply_tile_of<T, false>(rows, columns, tile);
      }
    }
    poll_interrupt(a.rows * a.columns * columns);
  }
}

// Is a product best done by one core, with all rows of a in its L2 cache and a panel of b in its L1
// cache?
template <class T>
bool fits_one_core(const Matrix<T>& a, const Matrix<T>& b) {
  constexpr int64_t kSize = sizeof(T), kPanelBytes = 24 * 1024, kRowsBytes = 256 * 1024;
  return a.columns <= std::min(kMostDepth, kPanelBytes / (kTileColumns<T> * kSize)) &&
         a.rows * a.columns * kSize <= kRowsBytes &&
         (a.rows * a.columns * b.columns < 2 * kSharedProducts || get_num_threads() == 1 ||
          in_parallel_region());
}
// Up to here a panel is read from the L2 cache as fast as it is copied.
constexpr int64_t kNearBytes = 64 * 1024;
template <class T>
bool packs_on_one_core(const Matrix<T>& a, const Matrix<T>& b) {
  const bool is_near = b.rows * b.columns * static_cast<int64_t>(sizeof(T)) <= kNearBytes;
  return b.column_stride != 1 || (!is_near && is_worth_packing(b, a.rows));
}

// Threads that wait for each other twice, to pack and to multiply, lose more time in a product of
// middle size than they save: each packs the panels that it reads, though another may read them
// too.
constexpr int64_t kMostOwnPanels = 1 << 27;
template <class T>
bool packs_own_panels(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows >= kRowsForCrowded && a.rows * a.columns * b.columns <= kMostOwnPanels &&
         reads_well(a) && get_num_threads() > 1 && is_worth_packing(b, a.rows);
}
template <class T>
void multiply_own_panels(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b) {
  const int64_t panels = panels_of(b.columns, kTileColumns<T>);
  const int64_t parts =
      std::clamp<int64_t>(panels_of(2 * get_num_threads(), panels), 1, a.rows / kRowsForCrowded);
  const int64_t height = length_of_blocks(a.rows, panels_of(a.rows, parts), kTileRows);
  const int64_t down = panels_of(a.rows, height);
  parallel_for(0, panels * down, 1, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t row = task % down * height, column = task / down * kTileColumns<T>;
      multiply_by_panels(
          {c.data + row * c.row_stride + column, c.row_stride, c.alpha, c.accumulate},
          part_of(a, row, 0, std::min(height, a.rows - row), a.columns),
          part_of(b, 0, column, b.rows, std::min(kTileColumns<T>, b.columns - column)), true);
    }
  });
}

template <class T>
void multiply(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b) {
  const int64_t b_bytes = b.rows * b.columns * static_cast<int64_t>(sizeof(T));
  const bool is_flat = a.rows <= kTileRows / 2 && a.columns <= kDirectDepth;
  if (b_bytes <= kDirectBytes || is_flat) {
    if (b.column_stride == 1) return multiply_direct_shared(c, a, b);
  }
  if (fits_one_core(a, b)) return multiply_by_panels(c, a, b, packs_on_one_core(a, b));
  if (packs_own_panels(a, b)) return multiply_own_panels(c, a, b);
  multiply_blocked(c, a, b);
}
// One of many products; `ahead`: the memory of the next.
template <class T>
void multiply(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b, const Ahead& ahead) {
  if (!fits_one_core(a, b)) return multiply(c, a, b);
  multiply_by_panels(c, a, b, packs_on_one_core(a, b), ahead);
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
