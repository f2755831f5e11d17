// cholesky_ex: Cholesky factorizations of the triangle that is asked for.
#pragma once

#include <eagre/kernels/cpu/isa/factor_cholesky.h>
#include <eagre/kernels/cpu/typed/factored_batch.h>

namespace eagre::kernels::cpu::typed {

// Of the lower triangle, in place of a, with zeros above the diagonal.
template <class T>
static int64_t factor_lower(const Grid<T>& a) {
  const int64_t n = a.rows;
  T* const room = kIsComplex<T> ? EAGRE_ISA::factor_room<T>(n * n) : nullptr;
  const int64_t failed = EAGRE_ISA::factor_cholesky(a, room);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i + 1; j < n; ++j) a.at(i, j) = T();
  }
  return failed;
}

// a becomes its adjoint, in place.
template <class T>
static void turn(const Grid<T>& a) {
  for (int64_t i = 0; i < a.rows; ++i) {
    a.at(i, i) = EAGRE_ISA::conjugate(a.at(i, i));
    for (int64_t j = 0; j < i; ++j) {
      const T x = a.at(i, j);
      a.at(i, j) = EAGRE_ISA::conjugate(a.at(j, i));
      a.at(j, i) = EAGRE_ISA::conjugate(x);
    }
  }
}

template <class T>
static void cholesky_ex(const TensorView& factor, const TensorView& info, const TensorView& input,
                        bool upper, bool check_errors) {
  const Matrices<T> to(factor), from(input);
  const int64_t n = to.rows;
  each_matrix(to.count, n * n * n / 3, [&](int64_t i) {
    to.copy(i, from);
    const Grid<T> a = to[i];
    if (upper) turn(a);
    info.as<int32_t>()[i] = static_cast<int32_t>(factor_lower(a));
    if (upper) turn(a);
  });
  if (check_errors) check_factored(Factorization::kCholesky, info);
}

}  // namespace eagre::kernels::cpu::typed
