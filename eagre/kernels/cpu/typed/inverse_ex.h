// inverse_ex: inverses of matrices, from their LU factorization.
#pragma once

#include <eagre/kernels/cpu/isa/factor_lu.h>
#include <eagre/kernels/cpu/typed/factored_batch.h>

namespace eagre::kernels::cpu::typed {

// Small ones by solving equations, whose right side `b` is the identity.
template <class T>
static void invert_few(const Grid<T>& a, const Grid<T>& b, const int32_t* pivots) {
  const int64_t n = a.rows;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) b.at(i, j) = T();
    b.at(i, i) = static_cast<T>(1);
  }
  EAGRE_ISA::swap_as(pivots, n, b);
  EAGRE_ISA::solve_rows(a, true, true, b);
  EAGRE_ISA::solve_rows(a, false, false, b);
  std::copy_n(b.data, n * n, a.data);
}

// a holds l and u; the inverse of what they were made of takes their place. `lower`: memory for as
// many elements.
template <class T>
static void invert_factored(const Grid<T>& a, const Grid<T>& lower, const int32_t* pivots) {
  const int64_t n = a.rows;
  if (n <= EAGRE_ISA::kTriangle) return invert_few(a, lower, pivots);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      lower.at(i, j) = a.at(i, j);
      a.at(i, j) = T();
    }
  }
  // a^-1 = u^-1 @ l^-1 @ p^-1
  EAGRE_ISA::invert_upper(a);
  EAGRE_ISA::solve_triangle_on_right(lower, true, true, a);
  for (int64_t i = n - 2; i >= 0; --i) {
    EAGRE_ISA::swap_rows(a.turned(), i, int64_t{pivots[i]} - 1);
  }
}

template <class T>
static void inverse_ex(const TensorView& inverse, const TensorView& info, const TensorView& input,
                       bool check_errors) {
  const Matrices<T> to(inverse), from(input);
  const int64_t n = to.rows;
  each_matrix(to.count, n * n * n, [&](int64_t i) {
    T* const room = EAGRE_ISA::factor_room<T>(n * n + n);
    auto* const pivots = reinterpret_cast<int32_t*>(room + n * n);
    const Grid<T> a = to[i], lower{room, n, n, n, 1};
    to.copy(i, from);
    info.as<int32_t>()[i] = static_cast<int32_t>(EAGRE_ISA::factor_lu(a, pivots, true));
    invert_factored(a, lower, pivots);
  });
  if (check_errors) check_factored(Factorization::kInverse, info);
}

}  // namespace eagre::kernels::cpu::typed
