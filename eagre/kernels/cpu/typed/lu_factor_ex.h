// lu_factor_ex: LU factorizations of matrices of any shape.
#pragma once

#include <eagre/kernels/cpu/isa/factor_lu.h>
#include <eagre/kernels/cpu/typed/factored_batch.h>

namespace eagre::kernels::cpu::typed {

template <class T>
static void lu_factor_ex(const TensorView& lu, const TensorView& pivots, const TensorView& info,
                         const TensorView& input, bool pivot, bool check_errors) {
  const Matrices<T> to(lu), from(input);
  const int64_t count = std::min(to.rows, to.columns);
  each_matrix(to.count, to.rows * to.columns * count, [&](int64_t i) {
    to.copy(i, from);
    int32_t* const own = pivots.as<int32_t>() + i * count;
    info.as<int32_t>()[i] = static_cast<int32_t>(EAGRE_ISA::factor_lu(to[i], own, pivot));
  });
  if (check_errors) check_factored(Factorization::kLu, info);
}

}  // namespace eagre::kernels::cpu::typed
