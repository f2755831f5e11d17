// A short row in vectors, so that a kernel loads it once and writes it once. Folds have the order
// of fold_leaf(), so they give the same bits.
#pragma once

#include <utility>

#include <eagre/kernels/cpu/isa/fold.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T, int kVectors>
class RowVectors {
 public:
  using L = Lanes<T>;
  using Vector = typename L::Vector;

  RowVectors(const T* data, int64_t n) : n_(n) {
    each([&](int v, int count) { parts_[v] = L::load_some(data + v * L::kCount, count); });
  }

  // What f makes of every vector, or of every two beside each other.
  template <class F>
  RowVectors map(F f) const {
    RowVectors result(n_);
    for (int v = 0; v < kVectors; ++v) result.parts_[v] = f(parts_[v]);
    return result;
  }
  template <class F>
  RowVectors map(const RowVectors& other, F f) const {
    RowVectors result(n_);
    for (int v = 0; v < kVectors; ++v) result.parts_[v] = f(parts_[v], other.parts_[v]);
    return result;
  }
  // The same for functions of numbers.
  template <class F>
  RowVectors map_numbers(F f) const {
    return map([&](Vector x) {
      T lanes[L::kCount];
      L::store(lanes, x);
#pragma GCC ivdep
      for (int lane = 0; lane < L::kCount; ++lane) lanes[lane] = f(lanes[lane]);
      return L::load(lanes);
    });
  }

  template <class Op>
  T fold() const {
    Vector parts[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      const Vector inside = L::first_of(parts_[v], n_ - v * L::kCount, Op::kIdentity);
      parts[v] = Op::combine(L::splat(Op::kIdentity), inside);
    }
    for (int half = kVectors / 2; half > 0; half /= 2) {
      for (int v = 0; v < half; ++v) parts[v] = Op::combine(parts[v], parts[v + half]);
    }
    return join_vector<Op, T>(parts[0], n_);
  }

  void store(T* to) const {
    each([&](int v, int count) { L::store_some(to + v * L::kCount, parts_[v], count); });
  }

 private:
  explicit RowVectors(int64_t n) : n_(n) {}

  // f(v, count) for the vectors and how many of their elements are in the row.
  template <class F>
  EAGRE_INLINE void each(F f) const {
    for (int v = 0; v < kVectors; ++v) {
      const int64_t left = n_ - v * L::kCount;
      f(v, left < 0 ? 0 : left < L::kCount ? static_cast<int>(left) : L::kCount);
    }
  }

  int64_t n_;
  Vector parts_[kVectors];
};

// f(row type) for a row of n elements, if it is neither too short for a tree of sums nor too long;
// false if it is.
template <class T, int kVectors = 1, class F>
EAGRE_INLINE bool in_vectors(int64_t n, F f) {
  constexpr int64_t kElements = kVectors * Lanes<T>::kCount;
  if (n < 8 || n > kFoldLanes<T>) return false;
  if constexpr (kElements < kFoldLanes<T>) {
    if (n > kElements || kElements < 8) return in_vectors<T, kVectors * 2>(n, f);
  }
  f(std::integral_constant<int, kVectors>());
  return true;
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
