// The steps of a batch of sequences, and how sequences are shared between threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/core/rnn_kind.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/gemm_panels.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Rows [first, first + size) of packed data belong to sequences [0, size).
struct RnnStep {
  int64_t first = 0, size = 0;
};

// Packed sequences: so many of them have each step, no more than the one before. Without numbers
// all have each.
class RnnSteps {
 public:
  RnnSteps(Dims batch_sizes, int64_t rows, int64_t batch)
      : sizes_(batch_sizes), rows_(rows), batch_(batch) {
    const int64_t each = batch == 0 ? 0 : rows / batch;
    count_ = sizes_.empty() ? each : static_cast<int64_t>(sizes_.size());
  }
  int64_t count() const { return count_; }

  // f(step, next) for all of them from the first on, or from the last; `next` of the last one that
  // is visited is empty.
  template <class F>
  void each(bool from_last, const F& f) const {
    RnnStep step{from_last ? rows_ : 0, 0}, next;
    for (int64_t i = 0; i <= count_; ++i) {
      next.size = i == count_ ? 0 : size(from_last ? count_ - 1 - i : i);
      next.first = from_last ? step.first - next.size : step.first + step.size;
      if (i > 0) f(step, next);
      step = next;
    }
  }

 private:
  int64_t size(int64_t t) const { return sizes_.empty() ? batch_ : sizes_[static_cast<size_t>(t)]; }

  Dims sizes_;
  int64_t rows_, batch_, count_;
};

template <class T>
T* rnn_room(Scratch use, int64_t numel) {
  return static_cast<T*>(scratch(use, static_cast<size_t>(numel) * sizeof(T)));
}

// A contiguous matrix, or a stretch of its columns.
template <class T>
Matrix<T> matrix_of(const TensorView& view) {
  return {view.as<const T>(), view.sizes[0], view.sizes[1], view.sizes[1], 1};
}

// range(begin, end) for stretches of the sequences, one for each thread: none waits for another
// before the end. Rows do not know of each other, so their number changes no bit.
constexpr int64_t kLeastSequences = 4;
template <class F>
void share_sequences(int64_t batch, int64_t work, const F& range) {
  const int64_t threads = get_num_threads();
  const int64_t each = std::max((batch + threads - 1) / threads, kLeastSequences);
  const int64_t tasks = (batch + each - 1) / each;
  if (tasks <= 1 || batch * work < 2 * kSharedProducts) return range(0, batch);
  parallel_for(0, tasks, 1, [&](int64_t begin, int64_t end) {
    range(begin * each, std::min(end * each, batch));
  });
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
