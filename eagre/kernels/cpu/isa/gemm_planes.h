// Products of elements that the tiles cannot multiply as they lie: halves, which are converted, and
// complex numbers, whose real and imaginary parts are matrices of their own. Both while blocks are
// packed; bfloat16 stays as it is where the processor multiplies it. Sums are kept in planes of the
// type that is computed in and written at the end.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/isa/gemv.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// What tiles read of a half.
template <class S>
struct Packed {
  using Element = float;
};
#if defined(__AVX512BF16__)
template <>
struct Packed<BFloat16> {
  using Element = Bf16Pair;
};
#endif

template <class S>
struct Planes {
  static constexpr int kCount = 1;
  using Part = float;
  using Stored = S;  // what a plane looks like in memory, and in packed blocks
  using Element = typename Packed<S>::Element;

  static Matrix<S> plane(const Matrix<S>& m, int) { return m; }
  static EAGRE_INLINE S join(const float* sums, int64_t) { return static_cast<S>(sums[0]); }
};

template <class R>
struct Planes<Complex<R>> {
  static constexpr int kCount = 2;
  using Part = R;
  using Stored = R;
  using Element = R;

  static Matrix<R> plane(const Matrix<Complex<R>>& m, int which) {
    return {reinterpret_cast<const R*>(m.data) + which, m.rows, m.columns, 2 * m.row_stride,
            2 * m.column_stride};
  }
  static EAGRE_INLINE Complex<R> join(const R* sums, int64_t plane_size) {
    return {sums[0], sums[plane_size]};
  }
};

// Rows and columns whose sums are kept at once.
constexpr int64_t kSlabRows = 960;
template <class T>
constexpr int64_t kSlabColumns = kBlockColumns<T> / 2;

// The sums of a slab in `sums`, plane after plane.
template <class S>
void multiply_slab(typename Planes<S>::Part* sums, const Matrix<S>& a, const Matrix<S>& b) {
  using T = typename Planes<S>::Part;
  using Stored = typename Planes<S>::Stored;
  using Element = typename Planes<S>::Element;
  constexpr int kCount = Planes<S>::kCount;
  const int64_t depth = depth_of_blocks<Element>(a.columns);
  for (int64_t k = 0; k < a.columns; k += depth) {
    const int64_t terms = std::min(depth, a.columns - k);
    const Matrix<S> a_part = part_of(a, 0, k, a.rows, terms);
    const Matrix<S> b_part = part_of(b, k, 0, terms, b.columns);
    for (int right = 0; right < kCount; ++right) {
      for (int left = 0; left < kCount; ++left) {
        Block<Element, Stored> block(Planes<S>::plane(a_part, left),
                                     Planes<S>::plane(b_part, right));
        block.pack(pack_memory<Element>(Scratch::kPanel, block.packed_a_numel()),
                   pack_memory<Element>(Scratch::kBlock, block.packed_b_numel()));
        const bool is_negative = left + right == 2;  // i * i
        block.multiply({sums + (left ^ right) * a.rows * b.columns, b.columns,
                        static_cast<T>(is_negative ? -1 : 1), k > 0 || right > 0});
        poll_interrupt(a.rows * b.columns * terms);
      }
    }
  }
}

// Complex products can be added to what is there, and `alpha` counts then.
template <class S>
void multiply_planes(const Target<S>& c, const Matrix<S>& a, const Matrix<S>& b) {
  using T = typename Planes<S>::Part;
  const int64_t most = std::min(kSlabRows, a.rows) * std::min(kSlabColumns<T>, b.columns);
  T* sums = static_cast<T*>(
      scratch(Scratch::kSums, static_cast<size_t>(most * Planes<S>::kCount) * sizeof(T)));
  for (int64_t row = 0; row < a.rows; row += kSlabRows) {
    const int64_t rows = std::min(kSlabRows, a.rows - row);
    for (int64_t column = 0; column < b.columns; column += kSlabColumns<T>) {
      const int64_t columns = std::min(kSlabColumns<T>, b.columns - column);
      multiply_slab<S>(sums, part_of(a, row, 0, rows, a.columns),
                       part_of(b, 0, column, b.rows, columns));
      share(rows, columns, [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end; ++r) {
          S* to = c.data + (row + r) * c.row_stride + column;
          const T* from = sums + r * columns;
          if constexpr (kIsComplex<S>) {
            if (c.accumulate) {
              for (int64_t j = 0; j < columns; ++j) {
                to[j] += c.alpha * Planes<S>::join(from + j, rows * columns);
              }
              continue;
            }
          }
          for (int64_t j = 0; j < columns; ++j) to[j] = Planes<S>::join(from + j, rows * columns);
        }
      });
    }
  }
}

// n elements of a row as planes.
template <class S>
void convert_row(typename Planes<S>::Part* to, int64_t plane_size, const S* from, int64_t stride,
                 int64_t n) {
  using T = typename Planes<S>::Part;
  for (int p = 0; p < Planes<S>::kCount; ++p, to += plane_size) {
    const auto plane = Planes<S>::plane(Matrix<S>{from, 1, n, 0, stride}, p);
    if (plane.column_stride == 1) {
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(plane.data[i]);
    } else {
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(*plane.at(0, i));
    }
  }
}

// out[i] = a.row(i) . x, where rows lie as vectors do: pieces of a row are converted, not packed.
template <class S>
void multiply_plane_vector(S* out, int64_t out_stride, const Matrix<S>& a, const S* x,
                           int64_t x_stride) {
  using T = typename Planes<S>::Part;
  constexpr int kCount = Planes<S>::kCount;
  constexpr int64_t kPiece = 512, kMostKept = 1 << 19;
  const int64_t n = a.columns;
  // The vector is converted once if many rows need it and it does not take much.
  T* kept = nullptr;
  if (a.rows >= 4 && n <= kMostKept) {
    kept = static_cast<T*>(scratch(Scratch::kSums, static_cast<size_t>(n * kCount) * sizeof(T)));
    convert_row(kept, n, x, x_stride, n);
  }
  share_steps(a.rows, 1, n, kSharedElements, [&](int64_t begin, int64_t end) {
    T row[kCount * kPiece], own[kCount * kPiece];
    for (int64_t r = begin; r < end; ++r) {
      T sums[2] = {};
      for (int64_t k = 0; k < n; k += kPiece) {
        const int64_t count = std::min(kPiece, n - k);
        convert_row(row, kPiece, a.at(r, k), a.column_stride, count);
        const T* vector = kept == nullptr ? own : kept + k;
        if (kept == nullptr) convert_row(own, kPiece, x + k * x_stride, x_stride, count);
        sums[0] += dot<T>(row, vector, count);
        if constexpr (kCount == 2) {
          const T* imaginary = vector + (kept == nullptr ? kPiece : n);
          sums[0] -= dot<T>(row + kPiece, imaginary, count);
          sums[1] += dot<T>(row, imaginary, count);
          sums[1] += dot<T>(row + kPiece, vector, count);
        }
        poll_interrupt(count);
      }
      out[r * out_stride] = Planes<S>::join(sums, 1);
    }
  });
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
