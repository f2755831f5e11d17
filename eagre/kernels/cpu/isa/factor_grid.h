// What factorizations are written with: parts of matrices, and products of these.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/isa/product.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// A part of a matrix, with strides in elements.
template <class T>
struct Grid {
  T* data;
  int64_t rows, columns, row, column;

  T& at(int64_t i, int64_t j) const { return data[i * row + j * column]; }
  Grid part(int64_t i, int64_t j, int64_t part_rows, int64_t part_columns) const {
    return {data + i * row + j * column, part_rows, part_columns, row, column};
  }
  Grid turned() const { return {data, columns, rows, column, row}; }
};

template <class T>
T conjugate(T x) {
  if constexpr (kIsComplex<T>) {
    return {x.real, -x.imag};
  } else {
    return x;
  }
}
template <class T>
Real<T> real_part(T x) {
  if constexpr (kIsComplex<T>) {
    return x.real;
  } else {
    return x;
  }
}
template <class T>
Real<T> square_of_size(T x) {
  if constexpr (kIsComplex<T>) {
    return x.real * x.real + x.imag * x.imag;
  } else {
    return x * x;
  }
}
// How large a number is, without a root: what pivots are compared by, as LAPACK does it.
template <class T>
Real<T> rough_size(T x) {
  if constexpr (kIsComplex<T>) {
    return (x.real < 0 ? -x.real : x.real) + (x.imag < 0 ? -x.imag : x.imag);
  } else {
    return x < 0 ? -x : x;
  }
}

// Working memory for so many elements; there is one such room at a time in a thread.
template <class T>
T* factor_room(int64_t count) {
  return static_cast<T*>(scratch(Scratch::kRow, static_cast<size_t>(count) * sizeof(T)));
}

template <class T>
void copy_grid(const Grid<T>& to, const Grid<const T>& from) {
  for (int64_t i = 0; i < to.rows; ++i) {
    for (int64_t j = 0; j < to.columns; ++j) to.at(i, j) = from.at(i, j);
  }
}
template <class T>
Grid<const T> read(const Grid<T>& grid) {
  return {grid.data, grid.rows, grid.columns, grid.row, grid.column};
}

// c += alpha * a @ b, where neither rows nor columns of c lie apart; or without what is there.
template <class T>
void add_product(const Grid<T>& c, const Grid<T>& a, const Grid<T>& b, double alpha,
                 bool accumulate = true) {
  const int64_t depth = a.columns;
  if (c.rows == 0 || c.columns == 0) return;
  constexpr int64_t kFew = 256;  // products that are done before a call would have begun
  if (c.rows * c.columns * depth <= kFew) {
    const T factor = static_cast<T>(static_cast<Real<T>>(alpha));
    for (int64_t i = 0; i < c.rows; ++i) {
      if (!accumulate) {
        for (int64_t j = 0; j < c.columns; ++j) c.at(i, j) = T();
      }
      for (int64_t k = 0; k < depth; ++k) {
        const T x = factor * a.at(i, k);
        for (int64_t j = 0; j < c.columns; ++j) c.at(i, j) += x * b.at(k, j);
      }
    }
    return;
  }
  if (c.column != 1) return add_product(c.turned(), b.turned(), a.turned(), alpha, accumulate);
  const ProductParts parts{c.data,   c.row,  a.data,    a.row, a.column, b.data,    b.row,
                           b.column, c.rows, c.columns, depth, alpha,    accumulate};
  if constexpr (std::is_same_v<T, float>) product_f32(parts);
  if constexpr (std::is_same_v<T, double>) product_f64(parts);
  if constexpr (std::is_same_v<T, Complex<float>>) product_c64(parts);
  if constexpr (std::is_same_v<T, Complex<double>>) product_c128(parts);
}
template <class T>
void subtract_product(const Grid<T>& c, const Grid<T>& a, const Grid<T>& b) {
  add_product(c, a, b, -1);
}

// Where a problem of size n is cut in two: at whole vectors.
constexpr int64_t half_of(int64_t n) { return n < 16 ? n / 2 : (n / 2 + 7) / 8 * 8; }

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
