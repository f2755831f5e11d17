// LU factorization with pivots, by halves (S. Toledo, "Locality of Reference in LU Decomposition
// with Partial Pivoting", 1997).
#pragma once

#include <eagre/kernels/cpu/isa/factor_triangle.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

constexpr int64_t kPanel = 8;  // columns that are factored one by one

template <class T>
void swap_rows(const Grid<T>& a, int64_t i, int64_t j) {
  if (i == j) return;
  for (int64_t k = 0; k < a.columns; ++k) std::swap(a.at(i, k), a.at(j, k));
}

// The row of the largest element of column j from row j on; of equal ones, the first.
template <class T>
int64_t pivot_of(const Grid<T>& a, int64_t j) {
  int64_t found = j;
  auto most = rough_size(a.at(j, j));
  for (int64_t i = j + 1; i < a.rows; ++i) {
    const auto size = rough_size(a.at(i, j));
    if (size > most) {
      most = size;
      found = i;
    }
  }
  return found;
}

// kPanel columns, whose rows are one or two vectors: the pivot's row with zeros up to its column is
// subtracted from all that follow.
template <class T>
void eliminate(const Grid<T>& a, int64_t j, T inverse) {
  T pivot[kPanel];
  for (int64_t k = 0; k < kPanel; ++k) pivot[k] = k > j ? a.at(j, k) : T();
  for (int64_t i = j + 1; i < a.rows; ++i) {
    T* row = a.data + i * a.row;
    const T factor = row[j] * inverse;
#pragma GCC ivdep
    for (int64_t k = 0; k < kPanel; ++k) row[k] -= factor * pivot[k];
    row[j] = factor;
  }
}

// Columns one by one. Gives the number of the first pivot that is zero, or 0.
template <class T>
int64_t factor_panel(const Grid<T>& a, int32_t* pivots, bool has_pivots) {
  int64_t zero = 0;
  const int64_t count = std::min(a.rows, a.columns);
  for (int64_t j = 0; j < count; ++j) {
    const int64_t from = has_pivots ? pivot_of(a, j) : j;
    pivots[j] = static_cast<int32_t>(from + 1);
    swap_rows(a, j, from);
    const T pivot = a.at(j, j);
    if (pivot == T()) {
      if (zero == 0) zero = j + 1;
      continue;
    }
    const T inverse = static_cast<T>(1) / pivot;
    if (a.columns == kPanel && std::isfinite(real_part(inverse))) {
      eliminate(a, j, inverse);
      continue;
    }
    for (int64_t i = j + 1; i < a.rows; ++i) {
      const T factor = a.at(i, j) / pivot;
      a.at(i, j) = factor;
      for (int64_t k = j + 1; k < a.columns; ++k) a.at(i, k) -= factor * a.at(j, k);
    }
  }
  return zero;
}

// The same of a square matrix whose size the compiler knows: all of it is in registers.
template <class T, int N>
int64_t factor_small(const Grid<T>& a, int32_t* pivots) {
  T rows[N][N];
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < N; ++k) rows[i][k] = a.data[i * a.row + k];
  }
  int64_t zero = 0;
#pragma GCC unroll 4
  for (int j = 0; j < N; ++j) {
    int from = j;
    auto most = rough_size(rows[j][j]);
#pragma GCC unroll 4
    for (int i = j + 1; i < N; ++i) {
      const auto size = rough_size(rows[i][j]);
      from = size > most ? i : from;
      most = size > most ? size : most;
    }
    pivots[j] = from + 1;
#pragma GCC unroll 4
    for (int i = j + 1; i < N; ++i) {
      if (i != from) continue;
      for (int k = 0; k < N; ++k) std::swap(rows[i][k], rows[j][k]);
    }
    const T pivot = rows[j][j];
    if (pivot == T()) {
      if (zero == 0) zero = j + 1;
      continue;
    }
#pragma GCC unroll 4
    for (int i = j + 1; i < N; ++i) {
      const T factor = rows[i][j] / pivot;
      rows[i][j] = factor;
      for (int k = j + 1; k < N; ++k) rows[i][k] -= factor * rows[j][k];
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < N; ++k) a.data[i * a.row + k] = rows[i][k];
  }
  return zero;
}

// The same through a copy whose rows are next to each other: those of a large matrix may all fall
// into the same few sets of the caches.
template <class T>
int64_t factor_apart(const Grid<T>& a, int32_t* pivots, bool has_pivots) {
  const auto bytes = static_cast<size_t>(a.rows * a.columns) * sizeof(T);
  const Grid<T> own{static_cast<T*>(scratch(Scratch::kSums, bytes)), a.rows, a.columns, a.columns,
                    1};
  copy_grid(own, read(a));
  const int64_t zero = factor_panel(own, pivots, has_pivots);
  copy_grid(a, read(own));
  return zero;
}

template <class T>
void swap_as(const int32_t* pivots, int64_t count, const Grid<T>& a) {
  for (int64_t i = 0; i < count; ++i) swap_rows(a, i, int64_t{pivots[i]} - 1);
}

// l and u take the place of a, whose rows are contiguous; `pivots`, counted from 1, are the rows
// with which rows were swapped. Gives the number of the first pivot that is zero, or 0.
template <class T>
int64_t factor_lu(const Grid<T>& a, int32_t* pivots, bool has_pivots) {
  const int64_t m = a.rows, n = a.columns;
  if (std::min(m, n) == 0) return 0;
  if (m == n && has_pivots) {
    if (n == 2) return factor_small<T, 2>(a, pivots);
    if (n == 3) return factor_small<T, 3>(a, pivots);
    if (n == 4) return factor_small<T, 4>(a, pivots);
  }
  constexpr int64_t kFewRows = 32;
  if (n <= kPanel) {
    return m > kFewRows ? factor_apart(a, pivots, has_pivots) : factor_panel(a, pivots, has_pivots);
  }
  const int64_t half = n > m ? m : half_of(n);  // what is wider than high is not factored
  const int64_t rest = n - half;
  const int64_t zero = factor_lu(a.part(0, 0, m, half), pivots, has_pivots);
  const Grid<T> right = a.part(0, half, m, rest), top = a.part(0, half, half, rest);
  swap_as(pivots, half, right);
  solve_triangle(a.part(0, 0, half, half), true, true, top);
  if (m == half) return zero;
  const Grid<T> left = a.part(half, 0, m - half, half), below = a.part(half, half, m - half, rest);
  subtract_product(below, left, top);
  const int64_t later = factor_lu(below, pivots + half, has_pivots);
  const int64_t more = std::min(m - half, rest);
  swap_as(pivots + half, more, left);
  for (int64_t i = 0; i < more; ++i) pivots[half + i] += static_cast<int32_t>(half);
  if (zero != 0 || later == 0) return zero;
  return half + later;
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
