// Sums over whole contiguous rows, in the fixed order of fold.h.
#pragma once

#include <eagre/kernels/cpu/isa/fold.h>
#include <eagre/kernels/scalar/reduce_ops.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Adds up term(i) for i in [0, n).
template <class T, class F>
T sum_terms(int64_t n, F term) {
  constexpr int64_t kBlock = 1024;
  T total = 0;
  for (int64_t first = 0; first < n; first += kBlock) {
    const int64_t count = n - first < kBlock ? n - first : kBlock;
    T terms[kBlock];
#pragma GCC ivdep
    for (int64_t i = 0; i < count; ++i) terms[i] = term(first + i);
    total += fold_leaf<scalar::Sum<T>, T>(terms, count, T{});
  }
  return total;
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
