// determinant, log_determinant: from the diagonal of LU factorizations.
#pragma once

#include <eagre/kernels/cpu/isa/factor_lu.h>
#include <eagre/kernels/cpu/typed/factored_batch.h>

namespace eagre::kernels::cpu::typed {

// f(lu, sign of the permutation) for a copy of each matrix.
template <class T, class F>
static void each_factored(const TensorView& input, const F& f) {
  const Matrices<T> from(input);
  const int64_t n = from.rows;
  each_matrix(from.count, n * n * n / 3, [&](int64_t i) {
    T* const room = EAGRE_ISA::factor_room<T>(n * n + n);
    auto* const pivots = reinterpret_cast<int32_t*>(room + n * n);
    const Grid<T> a{room, n, n, n, 1};
    std::copy_n(from.matrix(i), n * n, room);
    EAGRE_ISA::factor_lu(a, pivots, true);
    bool is_odd = false;
    for (int64_t row = 0; row < n; ++row) is_odd ^= pivots[row] != row + 1;
    f(i, a, is_odd);
  });
}

template <class T>
static void determinant(const TensorView& result, const TensorView& input) {
  each_factored<T>(input, [&](int64_t i, const Grid<T>& lu, bool is_odd) {
    auto product = static_cast<T>(is_odd ? -1 : 1);
    for (int64_t j = 0; j < lu.rows; ++j) product = product * lu.at(j, j);
    result.as<T>()[i] = product;
  });
}

template <class T>
static void log_determinant(const TensorView& sign, const TensorView& logarithm,
                            const TensorView& input) {
  using R = Real<T>;
  each_factored<T>(input, [&](int64_t i, const Grid<T>& lu, bool is_odd) {
    auto turn = static_cast<T>(is_odd ? -1 : 1);
    R sum = 0;
    for (int64_t j = 0; j < lu.rows; ++j) {
      const T x = lu.at(j, j);
      if constexpr (kIsComplex<T>) {
        const R size = std::hypot(x.real, x.imag);
        turn = size == 0 ? T() : turn * T{x.real / size, x.imag / size};
        sum += std::log(size);
      } else {
        const R size = x < 0 ? -x : x;
        if (x < 0) turn = -turn;
        if (x == 0) turn = 0;
        if (x != x) turn = x;
        sum += std::log(size);
      }
    }
    sign.as<T>()[i] = turn;
    logarithm.as<R>()[i] = sum;
  });
}

}  // namespace eagre::kernels::cpu::typed
