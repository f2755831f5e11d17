// The steps of rnn_forward.h backwards: from the gradients of results to those of the gates, which
// products of all steps turn into those of weights and input.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/rnn_cells.h>
#include <eagre/kernels/cpu/isa/rnn_steps.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

struct RnnBackwardViews {
  const TensorView &gate_grads, &state_grads, &hidden_grad, &cell_grad;
  const TensorView &before, &projected_grads, &whole;
  const TensorView &g_output, &g_last_hidden, &g_last_cell;
  const TensorView &hidden, &cell, &w_hh, &w_hr, &output, &gates, &kept;
};

template <class T>
class RnnBackward {
 public:
  RnnBackward(const RnnBackwardViews& views, RnnKind kind)
      : views_(views),
        kind_(kind),
        batch_(views.hidden.sizes[0]),
        state_(views.hidden.sizes[1]),
        size_(kind == RnnKind::kLstm ? views.cell.sizes[1] : state_),
        width_(gate_count(kind) * size_),
        projects_(views.w_hr.data != nullptr) {}

  void run(const RnnSteps& steps, bool reverse) {
    std::copy_n(views_.g_last_hidden.as<const T>(), batch_ * state_, views_.hidden_grad.as<T>());
    if (kind_ == RnnKind::kLstm) {
      std::copy_n(views_.g_last_cell.as<const T>(), batch_ * size_, views_.cell_grad.as<T>());
    }
    if (batch_ == 0) return;
    T* block = rnn_room<T>(Scratch::kBlock, Panels<T>::room(width_, state_));
    weights_ = Panels<T>::pack(block, matrix_of<T>(views_.w_hh));
    if (projects_) {
      T* more = rnn_room<T>(Scratch::kPanel, Panels<T>::room(state_, size_));
      projection_ = Panels<T>::pack(more, matrix_of<T>(views_.w_hr));
    }
    const int64_t work = steps.count() * state_ * width_;
    share_sequences(batch_, work, [&](int64_t begin, int64_t end) {
      steps.each(!reverse, [&](const RnnStep& step, const RnnStep& next) {
        const int64_t rows = std::min(end, step.size) - begin;
        if (rows <= 0) return;
        run_rows(step.first + begin, begin, rows, next);
        poll_interrupt(rows * state_ * width_);
      });
    });
  }

 private:
  // Rows of one step from `row` on, which belong to sequences from `begin` on. `next` had the
  // states before.
  void run_rows(int64_t row, int64_t begin, int64_t rows, const RnnStep& next) const {
    T* hidden = views_.hidden_grad.as<T>() + begin * state_;
    const T* more = views_.g_output.as<const T>() + row * state_;
#pragma GCC ivdep
    for (int64_t i = 0; i < rows * state_; ++i) hidden[i] += more[i];
    T* whole = hidden;
    if (projects_) {
      std::copy_n(hidden, rows * state_, views_.projected_grads.as<T>() + row * state_);
      whole = rnn_room<T>(Scratch::kRow, rows * size_ + spread_room(rows, state_));
      const Matrix<T> projected{hidden, rows, state_, state_, 1};
      multiply_panels(whole, size_, spread(projected, whole + rows * size_), projection_, T{1},
                      false);
    }
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t sequence = begin + i;
      const bool is_first = sequence >= next.size;
      T* before = views_.before.as<T>() + (row + i) * state_;
      const T* states = is_first ? views_.hidden.as<const T>() + sequence * state_
                                 : views_.output.as<const T>() + (next.first + sequence) * state_;
      std::copy_n(states, state_, before);
      const T* cell = nullptr;
      if (kind_ == RnnKind::kLstm) {
        cell = is_first ? views_.cell.as<const T>() + sequence * size_
                        : views_.kept.as<const T>() + (next.first + sequence) * size_;
      }
      run_row(row + i, sequence, whole + i * size_, before, cell);
    }
    const TensorView& grads = kind_ == RnnKind::kGru ? views_.state_grads : views_.gate_grads;
    const T* first = grads.as<const T>() + row * width_;
    T* room = rnn_room<T>(Scratch::kSums, spread_room(rows, width_));
    multiply_panels(hidden, state_, spread<T>({first, rows, width_, width_, 1}, room), weights_,
                    T{1}, kind_ == RnnKind::kGru);
  }

  void run_row(int64_t row, int64_t sequence, T* hidden, const T* before,
               const T* cell_before) const {
    T* grads = views_.gate_grads.as<T>() + row * width_;
    const T* gates = is_plain(kind_) ? nullptr : views_.gates.as<const T>() + row * width_;
    const T* kept = is_plain(kind_) ? nullptr : views_.kept.as<const T>() + row * size_;
    const T* result = views_.output.as<const T>() + row * state_;
    switch (kind_) {
      case RnnKind::kTanh: return tanh_row_back(grads, hidden, result, size_);
      case RnnKind::kRelu: return relu_row_back(grads, hidden, result, size_);
      case RnnKind::kGru:
        return gru_row_back(grads, views_.state_grads.as<T>() + row * width_, hidden, gates, kept,
                            before, size_);
      case RnnKind::kLstm:
        lstm_row_back(grads, views_.cell_grad.as<T>() + sequence * size_, hidden, gates, kept,
                      cell_before, size_);
    }
    if (!projects_) return;
    T* whole = views_.whole.as<T>() + row * size_;
    const T* out = gates + 3 * size_;
#pragma GCC ivdep
    for (int64_t i = 0; i < size_; ++i) whole[i] = out[i] * scalar::tanh(kept[i]);
  }

  const RnnBackwardViews& views_;
  RnnKind kind_;
  int64_t batch_, state_, size_, width_;  // as RnnForward has them
  bool projects_;
  Panels<T> weights_{}, projection_{};
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
