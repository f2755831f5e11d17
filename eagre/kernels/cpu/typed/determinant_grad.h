// determinant_grad: g times cofactors, also of singular matrices.
#pragma once

#include <limits>

#include <eagre/kernels/cpu/typed/determinant.h>
#include <eagre/kernels/cpu/typed/inverse_ex.h>

namespace eagre::kernels::cpu::typed {

// Cofactors are det(a) * a^-T, a polynomial of the elements. A pivot that is zero is replaced by
// one as small as the others are exact, which changes that polynomial by as little.
template <class T>
static void determinant_grad(const TensorView& grad, const TensorView& g, const TensorView& input) {
  using R = Real<T>;
  const Matrices<T> to(grad), from(input);
  const int64_t n = to.rows;
  each_matrix(to.count, n * n * n, [&](int64_t i) {
    T* const room = EAGRE_ISA::factor_room<T>(2 * n * n + n);
    const Grid<T> a{room, n, n, n, 1}, lower{room + n * n, n, n, n, 1};
    auto* const pivots = reinterpret_cast<int32_t*>(room + 2 * n * n);
    std::copy_n(from.matrix(i), n * n, room);
    EAGRE_ISA::factor_lu(a, pivots, true);
    R largest = 0;
    for (int64_t j = 0; j < n; ++j) {
      largest = std::max(largest, EAGRE_ISA::rough_size(a.at(j, j)));
    }
    const R small = (largest > 0 ? largest : R(1)) * std::numeric_limits<R>::epsilon();
    T factor = g.as<const T>()[i];
    for (int64_t j = 0; j < n; ++j) {
      if (a.at(j, j) == T()) a.at(j, j) = static_cast<T>(small);
      factor = factor * a.at(j, j);
      if (pivots[j] != j + 1) factor = -factor;
    }
    invert_factored(a, lower, pivots);
    const Grid<T> own = to[i];
    for (int64_t r = 0; r < n; ++r) {
      for (int64_t c = 0; c < n; ++c) own.at(r, c) = factor * a.at(c, r);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
