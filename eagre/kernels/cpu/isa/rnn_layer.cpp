// Layers of recurrent networks of float and double.
#include <algorithm>
#include <cstdint>

#include <eagre/core/rnn_kind.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/gemm.h>
#include <eagre/kernels/cpu/isa/gemm_panels.h>
#include <eagre/kernels/cpu/isa/rnn_backward.h>
#include <eagre/kernels/cpu/isa/rnn_forward.h>
#include <eagre/kernels/cpu/isa/rnn_steps.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
void forward(const RnnForwardViews& views, Dims batch_sizes, int64_t kind, bool reverse) {
  const RnnSteps steps(batch_sizes, views.input.sizes[0], views.hidden.sizes[0]);
  RnnForward<T>(views, static_cast<RnnKind>(kind)).run(steps, reverse);
}

template <class T>
void backward(const RnnBackwardViews& views, Dims batch_sizes, int64_t kind, bool reverse) {
  const RnnSteps steps(batch_sizes, views.output.sizes[0], views.hidden.sizes[0]);
  RnnBackward<T>(views, static_cast<RnnKind>(kind)).run(steps, reverse);
}

template <class T>
void weight_grads(const TensorView& w_ih_grad, const TensorView& w_hh_grad,
                  const TensorView& gate_grads, const TensorView& input, const TensorView& before) {
  if (gate_grads.sizes[0] == 0) {
    std::fill_n(w_ih_grad.as<T>(), w_ih_grad.numel, T{});
    std::fill_n(w_hh_grad.as<T>(), w_hh_grad.numel, T{});
    return;
  }
  const RightSide<T> sides[] = {
      {{w_ih_grad.as<T>(), input.sizes[1]}, matrix_of<T>(input)},
      {{w_hh_grad.as<T>(), before.sizes[1]}, matrix_of<T>(before)},
  };
  multiply_each(turned(matrix_of<T>(gate_grads)), sides);
}

}  // namespace

void rnn_weight_grads_f32(const TensorView& w_ih_grad, const TensorView& w_hh_grad,
                          const TensorView& gate_grads, const TensorView& input,
                          const TensorView& before) {
  weight_grads<float>(w_ih_grad, w_hh_grad, gate_grads, input, before);
}
void rnn_weight_grads_f64(const TensorView& w_ih_grad, const TensorView& w_hh_grad,
                          const TensorView& gate_grads, const TensorView& input,
                          const TensorView& before) {
  weight_grads<double>(w_ih_grad, w_hh_grad, gate_grads, input, before);
}
void rnn_layer_f32(const TensorView& output, const TensorView& last_hidden,
                   const TensorView& last_cell, const TensorView& gates, const TensorView& kept,
                   const TensorView& input, const TensorView& hidden, const TensorView& cell,
                   const TensorView& w_ih, const TensorView& w_hh, const TensorView& b_ih,
                   const TensorView& b_hh, const TensorView& w_hr, Dims batch_sizes, int64_t kind,
                   bool reverse) {
  forward<float>({output, last_hidden, last_cell, gates, kept, input, hidden, cell, w_ih, w_hh,
                  b_ih, b_hh, w_hr},
                 batch_sizes, kind, reverse);
}
void rnn_layer_f64(const TensorView& output, const TensorView& last_hidden,
                   const TensorView& last_cell, const TensorView& gates, const TensorView& kept,
                   const TensorView& input, const TensorView& hidden, const TensorView& cell,
                   const TensorView& w_ih, const TensorView& w_hh, const TensorView& b_ih,
                   const TensorView& b_hh, const TensorView& w_hr, Dims batch_sizes, int64_t kind,
                   bool reverse) {
  forward<double>({output, last_hidden, last_cell, gates, kept, input, hidden, cell, w_ih, w_hh,
                   b_ih, b_hh, w_hr},
                  batch_sizes, kind, reverse);
}
void rnn_layer_backward_f32(const TensorView& gate_grads, const TensorView& state_grads,
                            const TensorView& hidden_grad, const TensorView& cell_grad,
                            const TensorView& before, const TensorView& projected_grads,
                            const TensorView& whole, const TensorView& g_output,
                            const TensorView& g_last_hidden, const TensorView& g_last_cell,
                            const TensorView& hidden, const TensorView& cell,
                            const TensorView& w_hh, const TensorView& w_hr,
                            const TensorView& output, const TensorView& gates,
                            const TensorView& kept, Dims batch_sizes, int64_t kind, bool reverse) {
  backward<float>(
      {gate_grads, state_grads, hidden_grad, cell_grad, before, projected_grads, whole, g_output,
       g_last_hidden, g_last_cell, hidden, cell, w_hh, w_hr, output, gates, kept},
      batch_sizes, kind, reverse);
}
void rnn_layer_backward_f64(const TensorView& gate_grads, const TensorView& state_grads,
                            const TensorView& hidden_grad, const TensorView& cell_grad,
                            const TensorView& before, const TensorView& projected_grads,
                            const TensorView& whole, const TensorView& g_output,
                            const TensorView& g_last_hidden, const TensorView& g_last_cell,
                            const TensorView& hidden, const TensorView& cell,
                            const TensorView& w_hh, const TensorView& w_hr,
                            const TensorView& output, const TensorView& gates,
                            const TensorView& kept, Dims batch_sizes, int64_t kind, bool reverse) {
  backward<double>(
      {gate_grads, state_grads, hidden_grad, cell_grad, before, projected_grads, whole, g_output,
       g_last_hidden, g_last_cell, hidden, cell, w_hh, w_hr, output, gates, kept},
      batch_sizes, kind, reverse);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
