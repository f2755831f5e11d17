// All steps of a layer of a recurrent network in one direction: one product for the input of all
// steps, then for each step that of the state with weights that are packed once, and the cells.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/matmul.h>
#include <eagre/kernels/cpu/isa/rnn_cells.h>
#include <eagre/kernels/cpu/isa/rnn_steps.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

struct RnnForwardViews {
  const TensorView &output, &last_hidden, &last_cell, &gates, &kept;
  const TensorView &input, &hidden, &cell, &w_ih, &w_hh, &b_ih, &b_hh, &w_hr;
};

template <class T>
class RnnForward {
 public:
  RnnForward(const RnnForwardViews& views, RnnKind kind)
      : views_(views),
        kind_(kind),
        batch_(views.hidden.sizes[0]),
        state_(views.hidden.sizes[1]),
        size_(kind == RnnKind::kLstm ? views.cell.sizes[1] : state_),
        width_(gate_count(kind) * size_),
        gates_(is_plain(kind) ? views.output.as<T>() : views.gates.as<T>()) {}

  void run(const RnnSteps& steps, bool reverse) {
    multiply_input();
    std::copy_n(views_.hidden.as<const T>(), views_.hidden.numel, views_.last_hidden.as<T>());
    if (kind_ == RnnKind::kLstm) {
      std::copy_n(views_.cell.as<const T>(), views_.cell.numel, views_.last_cell.as<T>());
    }
    if (batch_ == 0) return;
    add_biases();
    if (steps.count() == 1) return run_one();
    pack();
    const int64_t work = steps.count() * state_ * width_;
    share_sequences(batch_, work, [&](int64_t begin, int64_t end) {
      steps.each(reverse, [&](const RnnStep& step, const RnnStep&) {
        const int64_t rows = std::min(end, step.size) - begin;
        if (rows <= 0) return;
        multiply_state(step.first + begin, begin, rows);
        finish(step.first + begin, begin, rows, [&](T* projected, T* whole) {
          // finish() has room for the copy behind `whole`.
          const Matrix<T> rows_of_cells{whole, rows, size_, size_, 1};
          multiply_panels(projected, state_, spread(rows_of_cells, whole + rows * size_),
                          projection_, T{1}, false);
        });
        poll_interrupt(rows * state_ * width_);
      });
    });
  }

 private:
  void multiply_input() const {
    const int64_t numel = views_.input.sizes[0] * width_;
    if (numel == 0) return;
    const Matrix<T> input = matrix_of<T>(views_.input);
    if (input.columns == 0) {
      std::fill_n(gates_, numel, T{});
      return;
    }
    multiply_any(Target<T>{gates_, width_}, input, turned(matrix_of<T>(views_.w_ih)));
  }

  // Both biases of each gate, but for the last of GRU, whose second one comes behind all.
  void add_biases() {
    const int64_t inner = kind_ == RnnKind::kGru ? size_ : 0;
    bias_ = rnn_room<T>(Scratch::kSums, width_ + inner);
    std::fill_n(bias_, width_ + inner, T{});
    add_bias(views_.b_ih, width_ - inner, 0);
    add_bias(views_.b_hh, width_ - inner, inner);
  }
  // Those behind the first `common` ones lie `apart` from their gates.
  void add_bias(const TensorView& bias, int64_t common, int64_t apart) const {
    if (bias.data == nullptr) return;
    const T* numbers = bias.as<const T>();
    for (int64_t i = 0; i < common; ++i) bias_[i] += numbers[i];
    for (int64_t i = common; i < width_; ++i) bias_[i + apart] += numbers[i];
  }

  // Columns of the product with the state that are added to the gates, and for GRU those of the
  // last gate, which stay apart.
  int64_t added() const { return kind_ == RnnKind::kGru ? 2 * size_ : width_; }

  void pack() {
    const Matrix<T> weights = turned(matrix_of<T>(views_.w_hh));
    const int64_t room = Panels<T>::room(state_, added());
    const int64_t apart = width_ - added();
    T* block = rnn_room<T>(Scratch::kBlock, room + Panels<T>::room(state_, apart));
    for_gates_ = Panels<T>::pack(block, part_of(weights, 0, 0, state_, added()));
    for_inner_ = Panels<T>::pack(block + room, part_of(weights, 0, added(), state_, apart));
    if (views_.w_hr.data == nullptr) return;
    T* more = rnn_room<T>(Scratch::kPanel, Panels<T>::room(size_, state_));
    projection_ = Panels<T>::pack(more, turned(matrix_of<T>(views_.w_hr)));
  }

  void multiply_state(int64_t row, int64_t sequence, int64_t rows) const {
    const T* first = views_.last_hidden.as<const T>() + sequence * state_;
    T* room = rnn_room<T>(Scratch::kRow, spread_room(rows, state_));
    const Matrix<T> state = spread<T>({first, rows, state_, state_, 1}, room);
    multiply_panels(gates_ + row * width_, width_, state, for_gates_, T{1}, true);
    if (kind_ != RnnKind::kGru) return;
    multiply_panels(views_.kept.as<T>() + row * size_, size_, state, for_inner_, T{1}, false);
  }

  // One step is not worth packed weights.
  void run_one() {
    if (state_ > 0 && size_ > 0) {
      const Matrix<T> state = matrix_of<T>(views_.last_hidden);
      const Matrix<T> weights = turned(matrix_of<T>(views_.w_hh));
      multiply_any(Target<T>{.data = gates_, .row_stride = width_, .accumulate = true}, state,
                   part_of(weights, 0, 0, state_, added()));
      if (kind_ == RnnKind::kGru) {
        multiply_any(Target<T>{views_.kept.as<T>(), size_}, state,
                     part_of(weights, 0, added(), state_, size_));
      }
    }
    finish(0, 0, batch_, [&](T* projected, const T* whole) {
      if (size_ == 0 || state_ == 0)
        return static_cast<void>(std::fill_n(projected, batch_ * state_, T{}));
      multiply_any(Target<T>{projected, state_}, {whole, batch_, size_, size_, 1},
                   turned(matrix_of<T>(views_.w_hr)));
    });
  }

  // From the products to results of rows, which become the states of sequences.
  template <class Project>
  void finish(int64_t row, int64_t sequence, int64_t rows, const Project& project) const {
    T* results = views_.output.as<T>() + row * state_;
    T* states = views_.last_hidden.as<T>() + sequence * state_;
    const bool projects = views_.w_hr.data != nullptr;
    T* whole = results;
    if (projects) {
      whole = rnn_room<T>(Scratch::kRow, rows * size_ + spread_room(rows, size_));
    }
    for (int64_t i = 0; i < rows; ++i) {
      T* gates = gates_ + (row + i) * width_;
      T* hidden = whole + i * size_;
      T* kept = is_plain(kind_) ? nullptr : views_.kept.as<T>() + (row + i) * size_;
      switch (kind_) {
        case RnnKind::kTanh: tanh_row(gates, bias_, size_); break;
        case RnnKind::kRelu: relu_row(gates, bias_, size_); break;
        case RnnKind::kGru: gru_row(hidden, kept, states + i * state_, gates, bias_, size_); break;
        case RnnKind::kLstm:
          lstm_row(hidden, views_.last_cell.as<T>() + (sequence + i) * size_, kept, gates, bias_,
                   size_);
          break;
      }
    }
    if (projects) project(results, whole);
    std::copy_n(results, rows * state_, states);
  }

  const RnnForwardViews& views_;
  RnnKind kind_;
  int64_t batch_, state_, size_, width_;  // of the state, of the cell, of all gates
  T* gates_;
  T* bias_ = nullptr;
  Panels<T> for_gates_{}, for_inner_{}, projection_{};
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
