// Cholesky factorization by halves.
#pragma once

#include <eagre/kernels/cpu/isa/factor_triangle.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Row by row. Gives the order of the first leading minor that is not positive, or 0.
template <class T>
int64_t factor_rows(const Grid<T>& a) {
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      T sum = a.at(i, j);
      for (int64_t k = 0; k < j; ++k) sum -= a.at(i, k) * conjugate(a.at(j, k));
      a.at(i, j) = sum / a.at(j, j);
    }
    auto sum = real_part(a.at(i, i));
    for (int64_t k = 0; k < i; ++k) sum -= square_of_size(a.at(i, k));
    if (!(sum > 0)) return i + 1;
    a.at(i, i) = static_cast<T>(std::sqrt(sum));
  }
  return 0;
}

// c -= a @ other, but for most of what is above the diagonal of c.
template <class T>
void subtract_square(const Grid<T>& c, const Grid<T>& a, const Grid<T>& other) {
  constexpr int64_t kWhole = 64;
  const int64_t n = c.rows;
  if (n <= kWhole) return subtract_product(c, a, other);
  const int64_t half = half_of(n), rest = n - half, depth = a.columns;
  const Grid<T> below = a.part(half, 0, rest, depth), left = other.part(0, 0, depth, half);
  subtract_square(c.part(0, 0, half, half), a.part(0, 0, half, depth), left);
  subtract_product(c.part(half, 0, rest, half), below, left);
  subtract_square(c.part(half, half, rest, rest), below, other.part(0, half, depth, rest));
}

// l takes the place of the lower triangle of a; what is above the diagonal is not read, and has no
// meaning afterwards. `room`: for as many elements as a quarter of a and its rows, where a is
// complex. Gives the order of the first leading minor that is not positive, or 0.
template <class T>
int64_t factor_cholesky(const Grid<T>& a, T* room) {
  const int64_t n = a.rows;
  if (n <= kTriangle) return factor_rows(a);
  const int64_t half = half_of(n), rest = n - half;
  const Grid<T> first = a.part(0, 0, half, half), below = a.part(half, 0, rest, half);
  const Grid<T> last = a.part(half, half, rest, rest);
  if (const int64_t failed = factor_cholesky(first, room); failed != 0) return failed;
  // below @ first^-H; of complex numbers the conjugates, which first^-T gives.
  Grid<T> other = below;
  if constexpr (kIsComplex<T>) {
    other = {room, rest, half, half, 1};
    for (int64_t i = 0; i < rest; ++i) {
      for (int64_t j = 0; j < half; ++j) other.at(i, j) = conjugate(below.at(i, j));
    }
  }
  solve_triangle(first, true, false, other.turned());
  if constexpr (kIsComplex<T>) {
    for (int64_t i = 0; i < rest; ++i) {
      for (int64_t j = 0; j < half; ++j) below.at(i, j) = conjugate(other.at(i, j));
    }
  }
  subtract_square(last, below, other.turned());
  const int64_t failed = factor_cholesky(last, room);
  return failed == 0 ? 0 : half + failed;
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
