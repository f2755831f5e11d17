// qr_factors: QR factorizations, with as many columns of q as are asked for.
#pragma once

#include <eagre/kernels/cpu/isa/factor_qr.h>
#include <eagre/kernels/cpu/typed/factored_batch.h>

namespace eagre::kernels::cpu::typed {

// Without q: that has no elements.
template <class T>
static void qr_factors(const TensorView& q, const TensorView& r, const TensorView& input) {
  const Matrices<T> to(r), from(input);
  const int64_t m = from.rows, n = from.columns;
  const bool has_q = q.rank() == input.rank();
  const int64_t width = has_q ? q.sizes.back() : 0;
  each_matrix(from.count, 2 * m * n * std::min(m, n), [&](int64_t i) {
    using Householder = EAGRE_ISA::Householder<T>;
    T* const room = EAGRE_ISA::factor_room<T>(m * n + Householder::room(m, n, width));
    const Grid<T> a{room, m, n, n, 1};
    std::copy_n(from.matrix(i), m * n, room);
    const Householder factors(a, room + m * n);
    const Grid<T> own = to[i];
    for (int64_t row = 0; row < own.rows; ++row) {
      for (int64_t j = 0; j < n; ++j) own.at(row, j) = j < row ? T() : a.at(row, j);
    }
    if (has_q) factors.make_q(Matrices<T>(q)[i]);
  });
}

}  // namespace eagre::kernels::cpu::typed
