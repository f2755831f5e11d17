// rnn_tanh_cell, rnn_relu_cell, lstm_cell and gru_cell: checks, and a layer with one step.
#include <array>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/rnn_kind.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/gru_cell.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/lstm_cell.h>
#include <eagre/ops/rnn_checks.h>
#include <eagre/ops/rnn_relu_cell.h>
#include <eagre/ops/rnn_tanh_cell.h>

namespace eagre::ops {
namespace {

void check_input(const char* op, const TensorBase& input, const TensorBase& w_ih) {
  EAGRE_CHECK(input.dim() == 2, kInvalidArgument, op,
              "(): Expected 2D input (batch x feature), but got ", input.dim(),
              "D input: argument 'input' must be a matrix, but got ", shape_text(input));
  if (w_ih.dim() != 2) invalid_argument(op, "w_ih", "a matrix", shape_text(w_ih));
  EAGRE_CHECK(input.sizes()[1] == w_ih.sizes()[1], kInvalidArgument, op,
              "(): input has inconsistent input_size: got ", input.sizes()[1], " expected ",
              w_ih.sizes()[1], ": input.size(-1) must be equal to input_size");
}

void check_state(const char* op, int64_t number, const TensorBase& state, const TensorBase& input,
                 const TensorBase& w_hh) {
  EAGRE_CHECK(state.dim() == 2, kInvalidArgument, op, "(): Expected 2D hidden", number,
              " (batch x feature), but got ", state.dim(), "D");
  if (w_hh.dim() != 2) invalid_argument(op, "w_hh", "a matrix", shape_text(w_hh));
  EAGRE_CHECK(state.sizes()[0] == input.sizes()[0], kInvalidArgument, op, "(): Input batch size ",
              input.sizes()[0], " doesn't match hidden", number, " batch size ", state.sizes()[0]);
  EAGRE_CHECK(state.sizes()[1] == w_hh.sizes()[1], kInvalidArgument, op, "(): hidden", number,
              " has inconsistent hidden_size: got ", state.sizes()[1], ", expected ",
              w_hh.sizes()[1]);
}

std::array<TensorBase, 3> run_cell(const TensorBase& input, const TensorBase& hidden,
                                   const TensorBase& cell, const RnnWeights& weights, CallSite at) {
  check_input(weights.op, input, weights.w_ih);
  check_state(weights.op, 0, hidden, input, weights.w_hh);
  if (cell.defined()) check_state(weights.op, 1, cell, input, weights.w_hh);
  const int64_t size = hidden.sizes()[1];
  weights.check(size, size);
  weights.check_beside(input, hidden, cell, false);
  return run_rnn_layer(input, hidden, cell, weights, Dims(), false, at);
}

}  // namespace

TensorBase rnn_tanh_cell(const TensorBase& input, const TensorBase& hx, const TensorBase& w_ih,
                         const TensorBase& w_hh, const TensorBase& b_ih, const TensorBase& b_hh,
                         CallSite at) {
  return run_cell(input, hx, {}, {"rnn_tanh_cell", RnnKind::kTanh, w_ih, w_hh, b_ih, b_hh, {}},
                  at)[0];
}

TensorBase rnn_relu_cell(const TensorBase& input, const TensorBase& hx, const TensorBase& w_ih,
                         const TensorBase& w_hh, const TensorBase& b_ih, const TensorBase& b_hh,
                         CallSite at) {
  return run_cell(input, hx, {}, {"rnn_relu_cell", RnnKind::kRelu, w_ih, w_hh, b_ih, b_hh, {}},
                  at)[0];
}

TensorBase gru_cell(const TensorBase& input, const TensorBase& hx, const TensorBase& w_ih,
                    const TensorBase& w_hh, const TensorBase& b_ih, const TensorBase& b_hh,
                    CallSite at) {
  return run_cell(input, hx, {}, {"gru_cell", RnnKind::kGru, w_ih, w_hh, b_ih, b_hh, {}}, at)[0];
}

std::array<TensorBase, 2> lstm_cell(const TensorBase& input, TensorList hx, const TensorBase& w_ih,
                                    const TensorBase& w_hh, const TensorBase& b_ih,
                                    const TensorBase& b_hh, CallSite at) {
  EAGRE_CHECK(hx.size() == 2, kInvalidArgument,
              "lstm_cell(): lstm_cell expects two hidden states: argument 'hx' must be 2 tensors, "
              "but got ",
              hx.size());
  const auto results =
      run_cell(input, hx[0], hx[1], {"lstm_cell", RnnKind::kLstm, w_ih, w_hh, b_ih, b_hh, {}}, at);
  return {results[0], results[2]};
}

}  // namespace eagre::ops
