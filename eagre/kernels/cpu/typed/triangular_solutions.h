// triangular_solutions: equations with triangular matrices, on the left or on the right.
#pragma once

#include <eagre/kernels/cpu/isa/factor_triangle.h>
#include <eagre/kernels/cpu/typed/factored_batch.h>

namespace eagre::kernels::cpu::typed {

template <class T>
static void triangular_solutions(const TensorView& result, const TensorView& input,
                                 const TensorView& b, bool upper, bool left, bool unitriangular) {
  const Matrices<T> to(result), triangles(input), right(b);
  const int64_t n = triangles.rows, columns = left ? to.columns : to.rows;
  each_matrix(to.count, n * n * columns, [&](int64_t i) {
    const T* const from = right.matrix(matrix_of(b, result.sizes, i));
    std::copy_n(from, to.rows * to.columns, to.matrix(i));
    const Grid<T> triangle = triangles[matrix_of(input, result.sizes, i)];
    if (left) {
      EAGRE_ISA::solve_triangle(triangle, !upper, unitriangular, to[i]);
    } else {
      EAGRE_ISA::solve_triangle_on_right(triangle, !upper, unitriangular, to[i]);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
