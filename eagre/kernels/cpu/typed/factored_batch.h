// What kernels of factorizations share: the matrices of a batch, one after the other or by several
// threads.
#pragma once

#include <eagre/base/interrupt.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/factor_failures.h>
#include <eagre/kernels/cpu/isa/factor_grid.h>
#include <eagre/kernels/cpu/isa/share.h>

namespace eagre::kernels::cpu::typed {

using EAGRE_ISA::Grid;

// The matrices in the last two dimensions of a contiguous tensor.
template <class T>
struct Matrices {
  T* data;
  int64_t rows, columns, count;

  explicit Matrices(const TensorView& view)
      : data(view.as<T>()), rows(view.sizes[view.sizes.size() - 2]), columns(view.sizes.back()) {
    count = 1;
    for (size_t d = 0; d + 2 < view.sizes.size(); ++d) count *= view.sizes[d];
  }
  T* matrix(int64_t i) const { return data + i * rows * columns; }
  Grid<T> operator[](int64_t i) const { return {matrix(i), rows, columns, columns, 1}; }
  void copy(int64_t i, const Matrices& from) const {
    const int64_t numel = rows * columns;
    std::copy_n(from.matrix(i), numel, matrix(i));
  }
};

// f(i) for each of `count` matrices with so many multiplications. Large ones share their own work.
template <class F>
static void each_matrix(int64_t count, int64_t work, const F& f) {
  constexpr int64_t kLarge = 1 << 21, kLeast = 1 << 15;
  const auto range = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      f(i);
      poll_interrupt(work);
    }
  };
  constexpr int64_t kCall = 64;  // what one costs besides, in multiplications
  if (count == 1 || work >= kLarge) return range(0, count);
  EAGRE_ISA::share_steps(count, 1, work + kCall, kLeast, range);
}

// The place of batch `index` of `whole`, counted through its dimensions before the last two, among
// the matrices of `own`, which broadcasts to it.
static inline int64_t matrix_of(const TensorView& own, Dims whole, int64_t index) {
  int64_t place = 0, step = 1;
  const int64_t rank = static_cast<int64_t>(whole.size());
  for (int64_t d = 3; d <= rank && d <= own.rank(); ++d) {
    const int64_t size = own.sizes[static_cast<size_t>(own.rank() - d)];
    const int64_t all = whole[static_cast<size_t>(rank - d)];
    if (size != 1) place += index % all * step;
    index /= all;
    step *= size;
  }
  return place;
}

}  // namespace eagre::kernels::cpu::typed
