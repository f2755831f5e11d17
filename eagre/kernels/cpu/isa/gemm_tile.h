// The innermost step of a matrix product: a tile of the result held in registers while all of k
// goes by. Rows times vectors of columns; each step broadcasts elements of a and multiplies them
// with vectors of b.
#pragma once

#include <eagre/kernels/cpu/isa/gemm_terms.h>
#include <eagre/kernels/cpu/isa/vector.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// As many sums as the registers of the isa hold beside two vectors of b and one element of a.
#if defined(__AVX512F__)
constexpr int kTileRows = 12;
#elif defined(__AVX2__)
constexpr int kTileRows = 6;
#else
constexpr int kTileRows = 4;
#endif
constexpr int kTileVectors = 2;
// So many steps ahead the b of large products is asked for, which streams from the L2 cache.
constexpr int64_t kStepsAhead = 4;

// c = alpha * a @ b (+ c). Rows of b and c are contiguous. T: an element of a and b.
template <class T>
struct Tile {
  using Sum = typename Terms<T>::Sum;
  int64_t depth;  // in elements
  const T* a;
  int64_t a_row, a_column;
  const T* b;
  int64_t b_row;
  Sum* c;
  int64_t c_row;
  Sum alpha;
  bool accumulate;
  const char* ahead = nullptr;  // what is read after this tile: see Ahead
};

// Memory of the next product of many, its operands and its result. Where multiplying takes no
// longer than fetching them from far away, the tiles of the product before ask for a line with each
// step.
class Ahead {
 public:
  void add(const void* data, int64_t bytes) {
    parts_[count_++] = {static_cast<const char*>(data), bytes};
  }
  // Where to ask for as many lines as `steps`, or null if all is asked for.
  const char* take(int64_t steps) {
    for (Part& part : parts_) {
      if (part.bytes <= 0) continue;
      const char* from = part.from;
      part.from += steps * kLine;
      part.bytes -= steps * kLine;
      return from;
    }
    return nullptr;
  }

  static constexpr int64_t kLine = 64;

 private:
  struct Part {
    const char* from;
    int64_t bytes;
  };
  Part parts_[3] = {};
  int count_ = 0;
};

// kPacked: a is a panel of kRows interleaved rows. kTail: the last vector has `tail` columns.
template <class T, int kRows, int kVectors, bool kPacked, bool kTail>
void multiply_tile(const Tile<T>& tile, int tail) {
  using Sum = typename Terms<T>::Sum;
  using L = Lanes<Sum>;
  using Vector = typename L::Vector;
  using Elements = typename Terms<T>::Vector;
  const int64_t a_row = kPacked ? 1 : tile.a_row;
  const int64_t a_column = kPacked ? kRows : tile.a_column;
  // Rows in groups that one address serves: one for each would not fit into the registers.
  constexpr int kGroup = kPacked ? kRows : 3;
  constexpr int kGroups = (kRows + kGroup - 1) / kGroup;
  const T* a[kGroups];
  for (int i = 0; i < kGroups; ++i) a[i] = tile.a + i * kGroup * a_row;
  const T* b = tile.b;
  const int64_t b_row = tile.b_row;
  Sum* const c = tile.c;
  const int64_t c_row = tile.c_row;
  // Whole tiles are most of the work. Without anything to ask for, they ask for what they have.
  constexpr bool kAsks = !kPacked && !kTail && kRows == kTileRows && kVectors == kTileVectors;
  const char* ahead = tile.ahead != nullptr ? tile.ahead : reinterpret_cast<const char*>(b);
  Vector sums[kRows][kVectors] = {};
  // What the sums will be added to comes from memory meanwhile.
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) __builtin_prefetch(c + r * c_row + v * L::kCount, 1);
  }
  for (int64_t k = tile.depth; k > 0; --k) {
    if constexpr (kAsks) {
      __builtin_prefetch(ahead, 0, 2);  // into the L2 cache
      ahead += Ahead::kLine;
    }
    Elements columns[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      columns[v] = kTail && v == kVectors - 1 ? Terms<T>::load_first(b + v * L::kCount, tail)
                                              : Terms<T>::load(b + v * L::kCount);
      if constexpr (kPacked) __builtin_prefetch(b + kStepsAhead * b_row + v * L::kCount);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Elements element = Terms<T>::splat(a[r / kGroup][r % kGroup * a_row]);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        sums[r][v] = Terms<T>::multiply_add(element, columns[v], sums[r][v]);
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kGroups; ++i) a[i] += a_column;
    b += b_row;
  }
  const Vector alpha = L::splat(tile.alpha);
  const bool accumulate = tile.accumulate;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      Sum* place = c + r * c_row + v * L::kCount;
      Vector result = sums[r][v] * alpha;
      if (kTail && v == kVectors - 1) {
        if (accumulate) result += L::load_first(place, tail);
        L::store_first(place, result, tail);
      } else {
        if (accumulate) result += L::load(place);
        L::store(place, result);
      }
    }
  }
}

// Picks the instance for this number of rows, 1 to kTileRows.
template <class T, int kVectors, bool kPacked, bool kTail, int kRows = kTileRows>
EAGRE_INLINE void multiply_rows(int64_t rows, const Tile<T>& tile, int tail) {
  if constexpr (kRows > 1) {
    if (rows < kRows)
      return multiply_rows<T, kVectors, kPacked, kTail, kRows - 1>(rows, tile, tail);
  }
  multiply_tile<T, kRows, kVectors, kPacked, kTail>(tile, tail);
}

// One tile of up to kTileRows rows and kTileVectors vectors of columns.
template <class T, bool kPacked>
void multiply_tile_of(int64_t rows, int64_t columns, const Tile<T>& tile) {
  constexpr int kCount = Lanes<typename Terms<T>::Sum>::kCount;
  if (columns == kTileVectors * kCount) return multiply_rows<T, 2, kPacked, false>(rows, tile, 0);
  if (columns > kCount) {
    return multiply_rows<T, 2, kPacked, true>(rows, tile, static_cast<int>(columns - kCount));
  }
  multiply_rows<T, 1, kPacked, true>(rows, tile, static_cast<int>(columns));
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
