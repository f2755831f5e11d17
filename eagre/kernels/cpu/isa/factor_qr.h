// QR factorization by Householder reflections, of which many are applied as one product:
// I - v @ t @ v^H with an upper triangle t (R. Schreiber and C. Van Loan, 1989), which is made of
// halves (E. Elmroth and F. Gustavson, 2000).
#pragma once

#include <eagre/kernels/cpu/isa/factor_grid.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

constexpr int64_t kReflections = 32;    // that are applied together
constexpr int64_t kFewReflections = 8;  // up to which they are made one by one

// sqrt(sum of squares) of rows [first, rows) of column j, whatever their size.
template <class T>
Real<T> size_below(const Grid<T>& a, int64_t first, int64_t j) {
  using R = Real<T>;
  R sum = 0;
  for (int64_t i = first; i < a.rows; ++i) sum += square_of_size(a.at(i, j));
  constexpr R kSmall = sizeof(R) == 4 ? R(1e-30) : R(1e-280), kLarge = R(1) / kSmall;
  if (sum > kSmall && sum < kLarge) return std::sqrt(sum);
  R largest = 0;
  for (int64_t i = first; i < a.rows; ++i) largest = std::max(largest, rough_size(a.at(i, j)));
  if (!(largest > 0) || !std::isfinite(largest)) return std::sqrt(sum);
  sum = 0;
  for (int64_t i = first; i < a.rows; ++i) {
    const T x = a.at(i, j);
    if constexpr (kIsComplex<T>) {
      const T scaled{x.real / largest, x.imag / largest};
      sum += square_of_size(scaled);
    } else {
      sum += square_of_size(x / largest);
    }
  }
  return largest * std::sqrt(sum);
}

// The reflection that leaves of column j one element, on the diagonal: v takes the place of what
// is below, its first element 1 is not stored. Gives the factor tau of I - tau v v^H, with LAPACK's
// signs: the element left is real and has the sign that the diagonal did not have.
template <class T>
T reflect(const Grid<T>& a, int64_t j) {
  using R = Real<T>;
  const T first = a.at(j, j);
  const R below = size_below(a, j + 1, j);
  bool is_done = below == 0;
  if constexpr (kIsComplex<T>) is_done = is_done && first.imag == 0;
  if (is_done) return T();
  R size;
  if constexpr (kIsComplex<T>) {
    size = std::hypot(std::hypot(first.real, first.imag), below);
  } else {
    size = std::hypot(first, below);
  }
  const R left = real_part(first) < 0 ? size : -size;
  const T tau = (static_cast<T>(left) - first) / static_cast<T>(left);
  const T scale = static_cast<T>(1) / (first - static_cast<T>(left));
  const bool is_plain = std::isfinite(real_part(scale));
  for (int64_t i = j + 1; i < a.rows; ++i) {
    T& x = a.at(i, j);
    x = is_plain ? x * scale : x / (first - static_cast<T>(left));
  }
  a.at(j, j) = static_cast<T>(left);
  return tau;
}

// Column by column: columns to the right of each are reflected at once. t becomes the triangle.
template <class T>
void factor_few(const Grid<T>& a, const Grid<T>& t) {
  const int64_t m = a.rows, n = a.columns;
  T sums[kFewReflections];
  for (int64_t j = 0; j < n; ++j) {
    const T tau = reflect(a, j);
    // The conjugate: A is reflected by H^H, so that Q is the product of the H.
    const T factor = conjugate(tau);
    for (int64_t k = j + 1; k < n; ++k) sums[k] = a.at(j, k);
    for (int64_t i = j + 1; i < m; ++i) {
      const T v = conjugate(a.at(i, j));
      for (int64_t k = j + 1; k < n; ++k) sums[k] += v * a.at(i, k);
    }
    for (int64_t k = j + 1; k < n; ++k) {
      sums[k] = factor * sums[k];
      a.at(j, k) -= sums[k];
    }
    for (int64_t i = j + 1; i < m; ++i) {
      const T v = a.at(i, j);
      for (int64_t k = j + 1; k < n; ++k) a.at(i, k) -= v * sums[k];
    }
    // t[:j, j] = -tau * t[:j, :j] @ (v[:, :j]^H @ v_j)
    for (int64_t k = 0; k < j; ++k) sums[k] = conjugate(a.at(j, k));
    for (int64_t i = j + 1; i < m; ++i) {
      const T v = a.at(i, j);
      for (int64_t k = 0; k < j; ++k) sums[k] += conjugate(a.at(i, k)) * v;
    }
    for (int64_t i = 0; i < j; ++i) {
      T sum = T();
      for (int64_t k = i; k < j; ++k) sum += t.at(i, k) * sums[k];
      t.at(i, j) = -(tau * sum);
      t.at(j, i) = T();
    }
    t.at(j, j) = tau;
  }
}

// The vectors of reflections as a matrix of its own, and their conjugates.
template <class T>
struct Reflections {
  Grid<T> v, conjugates;

  // `room`: for as many elements as `factors` has, twice as many where they are complex.
  Reflections(const Grid<T>& factors, T* room)
      : v{room, factors.rows, factors.columns, factors.columns, 1}, conjugates(v) {
    for (int64_t i = 0; i < v.rows; ++i) {
      const int64_t stored = std::min(i, v.columns);
      for (int64_t j = 0; j < stored; ++j) v.at(i, j) = factors.at(i, j);
      for (int64_t j = stored; j < v.columns; ++j) v.at(i, j) = static_cast<T>(i == j ? 1 : 0);
    }
    if constexpr (kIsComplex<T>) {
      conjugates.data = room + v.rows * v.columns;
      for (int64_t i = 0; i < v.rows * v.columns; ++i) conjugates.data[i] = conjugate(v.data[i]);
    }
  }
  static int64_t room(int64_t rows) { return (kIsComplex<T> ? 2 : 1) * rows * kReflections; }

  // c = (I - v @ t @ v^H) @ c, or of t^H. `room`: for kReflections rows as long as those of c,
  // twice.
  void apply(const Grid<T>& t, bool is_adjoint, const Grid<T>& c, T* more) const {
    const int64_t count = v.columns, width = c.columns;
    if (width == 0) return;
    const Grid<T> parts{more, count, width, width, 1};
    const Grid<T> turned{more + count * width, count, width, width, 1};
    add_product(parts, conjugates.turned(), c, 1, false);
    // The small product in place of a large one: few rows with a triangle.
    for (int64_t i = 0; i < count; ++i) {
      T* row = turned.data + i * width;
      for (int64_t j = 0; j < width; ++j) row[j] = T();
      for (int64_t k = is_adjoint ? 0 : i; k < (is_adjoint ? i + 1 : count); ++k) {
        const T factor = is_adjoint ? conjugate(t.at(k, i)) : t.at(i, k);
        const T* from = parts.data + k * width;
#pragma GCC ivdep
        for (int64_t j = 0; j < width; ++j) row[j] += factor * from[j];
      }
    }
    subtract_product(c, v, turned);
  }
};

// Of up to kReflections columns, by halves. Not fewer rows than columns.
template <class T>
void factor_columns(const Grid<T>& a, const Grid<T>& t, T* room, T* more) {
  const int64_t m = a.rows, n = a.columns;
  if (n <= kFewReflections) return factor_few(a, t);
  const int64_t half = half_of(n), rest = n - half;
  const Grid<T> corner = t.part(0, half, half, rest);
  factor_columns(a.part(0, 0, m, half), t.part(0, 0, half, half), room, more);
  {
    const Reflections<T> first(a.part(0, 0, m, half), room);
    first.apply(t.part(0, 0, half, half), true, a.part(0, half, m, rest), more);
  }
  factor_columns(a.part(half, half, m - half, rest), t.part(half, half, rest, rest), room, more);
  // corner = -first @ (v1^H @ v2) @ last
  const Reflections<T> last(a.part(half, half, m - half, rest), room);
  const Grid<T> left = a.part(half, 0, m - half, half);
  T product[kReflections * kReflections / 4 + kReflections];
  const Grid<T> sums{product, half, rest, rest, 1};
  for (int64_t i = 0; i < half * rest; ++i) product[i] = T();
  for (int64_t k = 0; k < m - half; ++k) {
    const T* row = last.v.data + k * rest;
    for (int64_t i = 0; i < half; ++i) {
      const T x = conjugate(left.at(k, i));
      for (int64_t j = 0; j < rest; ++j) product[i * rest + j] += x * row[j];
    }
  }
  for (int64_t i = 0; i < half; ++i) {  // from above: row i of t reads rows from i on
    for (int64_t j = 0; j < rest; ++j) {
      T sum = T();
      for (int64_t k = i; k < half; ++k) sum += t.at(i, k) * sums.at(k, j);
      sums.at(i, j) = sum;
    }
  }
  for (int64_t i = 0; i < half; ++i) {
    for (int64_t j = 0; j < rest; ++j) {
      T sum = T();
      for (int64_t k = 0; k <= j; ++k) sum += sums.at(i, k) * t.at(half + k, half + j);
      corner.at(i, j) = -sum;
      t.at(half + j, i) = T();
    }
  }
}

// r takes the place of the upper triangle of a, vectors that of what is below; the triangle of each
// kReflections of them is in the same columns of t, which has kReflections rows.
template <class T>
class Householder {
 public:
  static int64_t room(int64_t rows, int64_t columns, int64_t width) {
    const int64_t widest = std::max(columns, width);
    return kReflections * columns + Reflections<T>::room(rows) + 2 * kReflections * widest;
  }
  // `width`: of the matrix that reflections will be applied to.
  Householder(const Grid<T>& a, T* room) : a_(a), count_(std::min(a.rows, a.columns)) {
    t_ = {room, kReflections, count_, count_, 1};
    vectors_ = room + kReflections * a.columns;
    more_ = vectors_ + Reflections<T>::room(a.rows);
    for (int64_t j = 0; j < count_; j += kReflections) {
      const int64_t count = std::min(kReflections, count_ - j);
      const Grid<T> part = a.part(j, j, a.rows - j, count);
      factor_columns(part, triangle(j, count), vectors_, more_);
      const int64_t rest = a.columns - j - count;
      if (rest == 0) continue;
      const Reflections<T> block(part, vectors_);
      block.apply(triangle(j, count), true, a.part(j, j + count, a.rows - j, rest), more_);
    }
  }

  // q: as many rows as a has, its columns at least as many as there are reflections.
  void make_q(const Grid<T>& q) const {
    for (int64_t i = 0; i < q.rows; ++i) {
      for (int64_t j = 0; j < q.columns; ++j) q.at(i, j) = static_cast<T>(i == j ? 1 : 0);
    }
    const int64_t blocks = (count_ + kReflections - 1) / kReflections;
    for (int64_t block = blocks - 1; block >= 0; --block) {
      const int64_t j = block * kReflections, count = std::min(kReflections, count_ - j);
      const Reflections<T> own(a_.part(j, j, a_.rows - j, count), vectors_);
      own.apply(triangle(j, count), false, q.part(j, j, q.rows - j, q.columns - j), more_);
    }
  }

 private:
  Grid<T> triangle(int64_t j, int64_t count) const { return t_.part(0, j, count, count); }

  Grid<T> a_, t_;
  int64_t count_;
  T *vectors_, *more_;
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
