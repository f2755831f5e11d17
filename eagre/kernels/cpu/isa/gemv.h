// Matrix times vector, at the speed at which the matrix comes from memory.
#pragma once

#include <eagre/kernels/cpu/isa/gemm.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// The upper half is added to the lower one until one lane is left.
template <class T, int kWidth = Lanes<T>::kCount / 2>
EAGRE_INLINE T add_lanes(typename Lanes<T>::Vector v) {
  if constexpr (kWidth == 0) {
    return v[0];
  } else {
    return add_lanes<T, kWidth / 2>(v + Lanes<T>::template lanes_from<kWidth>(v));
  }
}

// Of each block of kWidth lanes of two vectors: its halves added up, those of the first before
// those of the second, in blocks of half the width.
template <class T, int kWidth, int... kLane>
EAGRE_INLINE typename Lanes<T>::Vector add_halves(typename Lanes<T>::Vector u,
                                                  typename Lanes<T>::Vector v,
                                                  std::integer_sequence<int, kLane...>) {
  constexpr int kHalf = kWidth / 2;
  const auto low = __builtin_shufflevector(u, v, (kLane / kHalf * kWidth + kLane % kHalf)...);
  const auto high =
      __builtin_shufflevector(u, v, (kLane / kHalf * kWidth + kLane % kHalf + kHalf)...);
  return low + high;
}

// add_lanes() of four vectors, with the additions of each in the same order.
template <class T>
EAGRE_INLINE void add_lanes_of_four(T* out, const typename Lanes<T>::Vector (&sums)[4]) {
  constexpr int kCount = Lanes<T>::kCount;
  if constexpr (kCount < 4) {
    for (int r = 0; r < 4; ++r) out[r] = add_lanes<T>(sums[r]);
  } else {
    constexpr std::make_integer_sequence<int, kCount> kAll;
    const auto first = add_halves<T, kCount>(sums[0], sums[1], kAll);
    const auto second = add_halves<T, kCount>(sums[2], sums[3], kAll);
    auto all = add_halves<T, kCount / 2>(first, second, kAll);
    constexpr int kEach = kCount / 4;  // lanes of a row
    if constexpr (kEach == 4) all += Lanes<T>::template lanes_from<2>(all);
    if constexpr (kEach >= 2) all += Lanes<T>::template lanes_from<1>(all);
    for (int r = 0; r < 4; ++r) out[r] = all[r * kEach];
  }
}

// Eight sums at once: more than the latency of an addition needs.
template <class T>
T dot(const T* a, const T* b, int64_t n) {
  using L = Lanes<T>;
  constexpr int kSums = 8;
  typename L::Vector sums[kSums] = {};
  int64_t i = 0;
  for (; i + kSums * L::kCount <= n; i += kSums * L::kCount) {
#pragma GCC unroll 8
    for (int s = 0; s < kSums; ++s) {
      sums[s] =
          L::multiply_add(L::load(a + i + s * L::kCount), L::load(b + i + s * L::kCount), sums[s]);
    }
  }
  for (; i < n; i += L::kCount) {
    const int count = static_cast<int>(std::min<int64_t>(L::kCount, n - i));
    sums[0] = L::multiply_add(L::load_first(a + i, count), L::load_first(b + i, count), sums[0]);
  }
  for (int width = kSums / 2; width > 0; width /= 2) {
    for (int s = 0; s < width; ++s) sums[s] += sums[s + width];
  }
  return add_lanes<T>(sums[0]);
}

// Four rows at once: several streams come faster from memory than one.
template <class T>
void dot_four(T* out, const T* a, int64_t stride, const T* b, int64_t n) {
  using L = Lanes<T>;
  constexpr int kSums = 2;
  typename L::Vector sums[4][kSums] = {};
  int64_t i = 0;
  for (; i + kSums * L::kCount <= n; i += kSums * L::kCount) {
#pragma GCC unroll 2
    for (int s = 0; s < kSums; ++s) {
      const auto x = L::load(b + i + s * L::kCount);
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) {
        sums[r][s] = L::multiply_add(L::load(a + r * stride + i + s * L::kCount), x, sums[r][s]);
      }
    }
  }
  for (; i < n; i += L::kCount) {
    const int count = static_cast<int>(std::min<int64_t>(L::kCount, n - i));
    const auto x = L::load_first(b + i, count);
    for (int r = 0; r < 4; ++r) {
      sums[r][0] = L::multiply_add(L::load_first(a + r * stride + i, count), x, sums[r][0]);
    }
  }
  const typename L::Vector whole[4] = {sums[0][0] + sums[0][1], sums[1][0] + sums[1][1],
                                       sums[2][0] + sums[2][1], sums[3][0] + sums[3][1]};
  add_lanes_of_four<T>(out, whole);
}

template <class T>
T strided_dot(const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n) {
  T sums[4] = {};
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int s = 0; s < 4; ++s) sums[s] += a[(i + s) * a_stride] * b[(i + s) * b_stride];
  }
  for (; i < n; ++i) sums[0] += a[i * a_stride] * b[i * b_stride];
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

// out[i] = alpha * a.row(i) . x (+ out[i]) where the columns of a are contiguous: the vector is the
// left operand of a product with one row. A few columns at a time, so that memory is read in order.
template <class T>
void multiply_vector_by_columns(T* out, const Target<T>& c, const Matrix<T>& a, const T* x,
                                int64_t x_stride) {
  constexpr int64_t kColumns = 6, kLooked = 1024 * kColumns;
  for (int64_t k = 0; k < a.columns; k += kColumns) {
    if (k % kLooked == 0) poll_interrupt(a.rows * std::min(kLooked, a.columns - k));
    const Matrix<T> slice{x + k * x_stride, 1, std::min(kColumns, a.columns - k), 0, x_stride};
    multiply_direct(Target<T>{out, a.rows, c.alpha, c.accumulate || k > 0}, slice, a.at(0, k),
                    a.column_stride, a.rows);
  }
}

// The products of up to four rows with n elements of the vector.
template <class T>
EAGRE_INLINE void dot_rows(T* sums, int64_t rows, const Matrix<T>& a, const T* x,
                           int64_t x_stride) {
  const bool is_packed = (a.column_stride == 1 && x_stride == 1) || a.columns == 1;
  if (is_packed && rows == 4) return dot_four(sums, a.data, a.row_stride, x, a.columns);
  for (int64_t r = 0; r < rows; ++r) {
    sums[r] = is_packed ? dot(a.at(r, 0), x, a.columns)
                        : strided_dot(a.at(r, 0), a.column_stride, x, x_stride, a.columns);
  }
}

template <class T>
void multiply_vector_by_rows(T* out, int64_t out_stride, const Target<T>& c, const Matrix<T>& a,
                             const T* x, int64_t x_stride) {
  for (int64_t first = 0; first < a.rows; first += 4) {
    const int64_t rows = std::min<int64_t>(4, a.rows - first);
    T sums[4];
    dot_rows(sums, rows, part_of(a, first, 0, rows, std::min(a.columns, kDirectDepth)), x,
             x_stride);
    for (int64_t k = kDirectDepth; k < a.columns; k += kDirectDepth) {
      poll_interrupt(rows * kDirectDepth);
      const int64_t count = std::min(a.columns - k, kDirectDepth);
      T more[4];
      dot_rows(more, rows, part_of(a, first, k, rows, count), x + k * x_stride, x_stride);
      for (int64_t r = 0; r < rows; ++r) sums[r] += more[r];
    }
    for (int64_t r = 0; r < rows; ++r) {
      T& place = out[(first + r) * out_stride];
      place = c.accumulate ? place + c.alpha * sums[r] : c.alpha * sums[r];
    }
  }
}

// Shared at multiples of what the two above take at once, so that every row is summed in the same
// order whoever has it.
template <class T>
void multiply_vector(T* out, int64_t out_stride, const Target<T>& c, const Matrix<T>& a, const T* x,
                     int64_t x_stride) {
  const bool by_columns = a.row_stride == 1 && a.rows > 1 && out_stride == 1;
  share_steps(a.rows, by_columns ? kTileColumns<T> : 4, a.columns, kSharedElements,
              [&](int64_t begin, int64_t end) {
                const Matrix<T> part = part_of(a, begin, 0, end - begin, a.columns);
                if (by_columns)
                  return multiply_vector_by_columns(out + begin, c, part, x, x_stride);
                multiply_vector_by_rows(out + begin * out_stride, out_stride, c, part, x, x_stride);
              });
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
