// Two sums in one pass over the same memory, for statistics and their gradients. The order of each
// depends on the length alone.
#pragma once

#include <cstdint>

#include <eagre/kernels/cpu/isa/fold.h>
#include <eagre/kernels/scalar/reduce_ops.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
struct TwoSums {
  T first, second;
};

// term(a, b, first, second) adds to both sums what vectors of `a` and `b` give. It must add nothing
// for the fillers, which stand for what is missing in the last vectors.
template <class T, class Term>
TwoSums<T> two_sums(const T* a, const T* b, int64_t n, T filler_a, T filler_b, const Term& term) {
  using L = Lanes<T>;
  using Vector = typename L::Vector;
  constexpr int kLanes = kFoldLanes<T> / 2;  // both sums fit in registers with every isa
  constexpr int kVectors = kLanes / L::kCount > 0 ? kLanes / L::kCount : 1;
  constexpr int kWidth = kVectors * L::kCount;
  Vector totals[2][kVectors] = {};
  int64_t i = 0;
  while (i + kWidth <= n) {
    // Short sums first, then the sum of those.
    constexpr int64_t kStep = 32 * kWidth;
    const int64_t end = n - i < kStep ? i + (n - i) / kWidth * kWidth : i + kStep;
    Vector sums[2][kVectors] = {};
    for (; i < end; i += kWidth) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        term(L::load(a + i + v * L::kCount), L::load(b + i + v * L::kCount), sums[0][v],
             sums[1][v]);
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      totals[0][v] += sums[0][v];
      totals[1][v] += sums[1][v];
    }
  }
  for (int v = 0; v < kVectors && i < n; ++v, i += L::kCount) {
    const int count = n - i < L::kCount ? static_cast<int>(n - i) : L::kCount;
    term(L::first_of(L::load_some(a + i, count), count, filler_a),
         L::first_of(L::load_some(b + i, count), count, filler_b), totals[0][v], totals[1][v]);
  }
  T lanes[2][kWidth];
  for (int v = 0; v < kVectors; ++v) {
    L::store(lanes[0] + v * L::kCount, totals[0][v]);
    L::store(lanes[1] + v * L::kCount, totals[1][v]);
  }
  return {join_lanes<scalar::Sum<T>>(lanes[0], kWidth),
          join_lanes<scalar::Sum<T>>(lanes[1], kWidth)};
}

// Sums of the distances from `center`, and of their squares.
template <class T>
TwoSums<T> distance_sums(const T* x, int64_t n, T center) {
  return two_sums(x, x, n, center, center, [center](auto value, auto, auto& first, auto& second) {
    const auto distance = value - center;
    first += distance;
    second += distance * distance;
  });
}

// Sums of gradients, and of gradients times the distances of `x` from `center`.
template <class T>
TwoSums<T> gradient_sums(const T* grad, const T* x, int64_t n, T center) {
  return two_sums(grad, x, n, T{}, center, [center](auto g, auto value, auto& first, auto& second) {
    first += g;
    second += g * (value - center);
  });
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
