// Equations with triangular matrices, halved again and again, so that nearly all of the work is
// products of matrices; and inverses of triangles.
#pragma once

#include <eagre/kernels/cpu/isa/factor_grid.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

constexpr int64_t kTriangle = 16;       // such equations are solved row by row
constexpr int64_t kTriangleWidth = 64;  // for so many columns at a time

// t @ x = b of a few rows; x takes the place of b, whose rows are contiguous.
template <class T>
void solve_rows(const Grid<T>& t, bool is_lower, bool has_ones, const Grid<T>& b) {
  const int64_t n = t.rows, width = b.columns;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = is_lower ? step : n - 1 - step;
    T* row = b.data + i * b.row;
    for (int64_t other = 0; other < step; ++other) {
      const int64_t k = is_lower ? other : n - 1 - other;
      const T factor = t.at(i, k);
      const T* solved = b.data + k * b.row;
#pragma GCC ivdep
      for (int64_t j = 0; j < width; ++j) row[j] -= factor * solved[j];
    }
    if (has_ones) continue;
    const T divisor = t.at(i, i);
    for (int64_t j = 0; j < width; ++j) row[j] = row[j] / divisor;
  }
}

// The same with columns that may lie anywhere: through a copy, if there are several.
template <class T>
void solve_few(const Grid<T>& t, bool is_lower, bool has_ones, const Grid<T>& b) {
  // Not as elements: complex ones would be set to zero first.
  alignas(T) Real<T> memory[kTriangle * kTriangleWidth * sizeof(T) / sizeof(Real<T>)];
  T* const copy = reinterpret_cast<T*>(memory);
  for (int64_t first = 0; first < b.columns; first += kTriangleWidth) {
    const int64_t width = std::min(kTriangleWidth, b.columns - first);
    const Grid<T> part = b.part(0, first, b.rows, width);
    if (b.column == 1 || width == 1) {
      solve_rows(t, is_lower, has_ones, part);
      continue;
    }
    const Grid<T> own{copy, b.rows, width, width, 1};
    for (int64_t j = 0; j < width; ++j) {
      for (int64_t i = 0; i < b.rows; ++i) own.at(i, j) = part.at(i, j);
    }
    solve_rows(t, is_lower, has_ones, own);
    for (int64_t j = 0; j < width; ++j) {
      for (int64_t i = 0; i < b.rows; ++i) part.at(i, j) = own.at(i, j);
    }
  }
}

// t @ x = b; x takes the place of b. The other triangle of t is not read, nor is its diagonal if it
// stands for ones.
template <class T>
void solve_triangle(const Grid<T>& t, bool is_lower, bool has_ones, const Grid<T>& b) {
  const int64_t n = t.rows;
  if (b.columns == 0) return;
  if (n <= kTriangle) return solve_few(t, is_lower, has_ones, b);
  const int64_t half = half_of(n), rest = n - half;
  const Grid<T> first = t.part(0, 0, half, half), last = t.part(half, half, rest, rest);
  const Grid<T> top = b.part(0, 0, half, b.columns), bottom = b.part(half, 0, rest, b.columns);
  if (is_lower) {
    solve_triangle(first, true, has_ones, top);
    subtract_product(bottom, t.part(half, 0, rest, half), top);
    solve_triangle(last, true, has_ones, bottom);
  } else {
    solve_triangle(last, false, has_ones, bottom);
    subtract_product(top, t.part(0, half, half, rest), bottom);
    solve_triangle(first, false, has_ones, top);
  }
}

// x @ t = b.
template <class T>
void solve_triangle_on_right(const Grid<T>& t, bool is_lower, bool has_ones, const Grid<T>& b) {
  solve_triangle(t.turned(), !is_lower, has_ones, b.turned());
}

// The inverse of an upper triangle, in its place.
template <class T>
void invert_upper(const Grid<T>& u) {
  const int64_t n = u.rows;
  if (n <= kTriangle) {
    for (int64_t j = 0; j < n; ++j) {
      const T own = static_cast<T>(1) / u.at(j, j);
      u.at(j, j) = own;
      // Column j above the diagonal: -(the inverse of what lies before it) @ column * own.
      for (int64_t i = 0; i < j; ++i) {
        T sum = u.at(i, i) * u.at(i, j);
        for (int64_t k = i + 1; k < j; ++k) sum += u.at(i, k) * u.at(k, j);
        u.at(i, j) = -(sum * own);
      }
    }
    return;
  }
  const int64_t half = half_of(n), rest = n - half;
  const Grid<T> first = u.part(0, 0, half, half), last = u.part(half, half, rest, rest);
  const Grid<T> corner = u.part(0, half, half, rest);
  // -first^-1 @ corner @ last^-1
  solve_triangle(first, false, false, corner);
  solve_triangle_on_right(last, false, false, corner);
  for (int64_t i = 0; i < half; ++i) {
    for (int64_t j = 0; j < rest; ++j) corner.at(i, j) = -corner.at(i, j);
  }
  invert_upper(first);
  invert_upper(last);
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
