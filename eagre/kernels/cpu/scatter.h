// Elements that go where an index of the same shape says: the loops of `kernel: {scatter: …}`.
#pragma once

#include <cstdint>

#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/index_walk.h>
#include <eagre/kernels/cpu/shared_scatter.h>
#include <eagre/kernels/scalar/scatter_ops.h>

namespace eagre::kernels::cpu {

// Elements of a tensor; those for one place are joined in their order.
template <template <class> class Op, class T>
void scatter(const TensorView& input, int64_t dim, const TensorView& index, const TensorView& src) {
  if (index.numel == 0) return;
  const IndexRows rows(index, dim);
  const Beside to(input, rows, true);
  const Beside from(src, rows, false);
  const CheckedIndices indices(Op<T>::kOperator, input, index, to.chosen_size, rows.dim);
  const T* source = src.as<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = input.as<T>();
  if (shares_scatter(rows, to, from, index.numel)) {
    indices.check();
    return scatter_by_stretches(target, to.chosen_size, chosen, source, index.numel,
                                [](T& element, const T& value) { Op<T>::join(element, value); });
  }
  // What is read before it is written is asked for before its turn, beyond the nearer caches.
  constexpr int64_t kAhead = 64;
  const bool far = Op<T>::kReads &&
                   to.chosen_size * to.chosen_stride * static_cast<int64_t>(sizeof(T)) > 1 << 19;
  const auto put = [&](auto way, int64_t first, int64_t count, int64_t row, int64_t column) {
    T* base = target + to.start(rows, row, column);
    const int64_t* here = chosen + first;
    const int64_t step = to.step;
    const T* values = source + from.start(rows, row, column);
    const int64_t taken = from.step;
    int64_t i = 0;
    for (; far && i + kAhead < count; ++i) {
      __builtin_prefetch(base + (i + kAhead) * step + way(here[i + kAhead]), 1);
      Op<T>::join(base[i * step + way(here[i])], values[i * taken]);
    }
    for (; i < count; ++i) Op<T>::join(base[i * step + way(here[i])], values[i * taken]);
  };
  for_scattered_rows(rows, to, index.numel, indices, put);
}

// A number.
template <template <class> class Op, class T>
void scatter(const TensorView& input, int64_t dim, const TensorView& index, const Scalar& value) {
  if (index.numel == 0) return;
  const IndexRows rows(index, dim);
  const Beside to(input, rows, true);
  const CheckedIndices indices(Op<T>::kOperator, input, index, to.chosen_size, rows.dim);
  const T number = value.wrapped<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = input.as<T>();
  const auto put = [&](auto way, int64_t first, int64_t count, int64_t row, int64_t column) {
    T* base = target + to.start(rows, row, column);
    const int64_t* here = chosen + first;
    const int64_t step = to.step;
    for (int64_t i = 0; i < count; ++i) Op<T>::join(base[i * step + way(here[i])], number);
  };
  for_scattered_rows(rows, to, index.numel, indices, put);
}

}  // namespace eagre::kernels::cpu
