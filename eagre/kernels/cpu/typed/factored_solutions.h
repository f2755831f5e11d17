// factored_solutions: equations with square matrices on the left or on the right, and the LU
// factorizations of these.
#pragma once

#include <eagre/kernels/cpu/isa/factor_lu.h>
#include <eagre/kernels/cpu/typed/factored_batch.h>

namespace eagre::kernels::cpu::typed {

// a @ x = b with a = p @ l @ u; x takes the place of b.
template <class T>
static void solve_factored(const Grid<T>& lu, const int32_t* pivots, const Grid<T>& b) {
  EAGRE_ISA::swap_as(pivots, lu.rows, b);
  EAGRE_ISA::solve_triangle(lu, true, true, b);
  EAGRE_ISA::solve_triangle(lu, false, false, b);
}
// x @ a = b: a^T @ x^T = b^T with a^T = u^T @ l^T @ p^T.
template <class T>
static void solve_factored_on_right(const Grid<T>& lu, const int32_t* pivots, const Grid<T>& b) {
  const Grid<T> turned = lu.turned(), columns = b.turned();
  EAGRE_ISA::solve_triangle(turned, true, false, columns);
  EAGRE_ISA::solve_triangle(turned, false, true, columns);
  for (int64_t i = lu.rows - 1; i >= 0; --i) {
    EAGRE_ISA::swap_rows(columns, i, int64_t{pivots[i]} - 1);
  }
}

template <class T>
static void factored_solutions(const TensorView& result, const TensorView& lu,
                               const TensorView& pivots, const TensorView& info,
                               const TensorView& input, const TensorView& b, bool left,
                               bool check_errors) {
  const Matrices<T> factors(lu), from(input), to(result), right(b);
  const int64_t n = factors.rows, columns = left ? to.columns : to.rows;
  const auto pivots_of = [&](int64_t i) { return pivots.as<int32_t>() + i * n; };
  const auto factor = [&](int64_t i) {
    factors.copy(i, from);
    const int64_t zero = EAGRE_ISA::factor_lu(factors[i], pivots_of(i), true);
    info.as<int32_t>()[i] = static_cast<int32_t>(zero);
  };
  const auto solve = [&](int64_t i, int64_t of) {
    const T* const given = right.matrix(matrix_of(b, result.sizes, i));
    std::copy_n(given, to.rows * to.columns, to.matrix(i));
    if (left) {
      solve_factored(factors[of], pivots_of(of), to[i]);
    } else {
      solve_factored_on_right(factors[of], pivots_of(of), to[i]);
    }
  };
  const int64_t work = n * n * n / 3, more = n * n * columns;
  if (factors.count == to.count) {
    each_matrix(to.count, work + more, [&](int64_t i) {
      factor(i);
      solve(i, i);
    });
  } else {  // some serve several
    each_matrix(factors.count, work, factor);
    each_matrix(to.count, more, [&](int64_t i) { solve(i, matrix_of(input, result.sizes, i)); });
  }
  if (check_errors) check_factored(Factorization::kSolution, info);
}

}  // namespace eagre::kernels::cpu::typed
