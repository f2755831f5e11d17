// A layer of a recurrent network by operators, step by step, and its gradients: where they are
// differentiated or transformed themselves.
#pragma once

#include <array>

#include <eagre/base/call_site.h>
#include <eagre/core/rnn_kind.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

// The arguments of `rnn_layer`.
struct RnnLayer {
  const TensorBase &input, &hidden, &cell, &w_ih, &w_hh, &b_ih, &b_hh, &w_hr;
  Dims batch_sizes;
  RnnKind kind;
  bool reverse;
};

// output, last_hidden and, of an LSTM, last_cell
std::array<TensorBase, 3> rnn_by_operators(const RnnLayer& layer, CallSite at);

// What a backward pass through the steps finds, all steps in the order of the data.
struct RnnStepGradients {
  TensorBase gates;         // of what the input gives to the gates
  TensorBase state_gates;   // of what the state gives to them
  TensorBase hidden, cell;  // of the first state
  TensorBase before;        // the state before each step
  TensorBase projected;     // with a projection: of its results
  TensorBase whole;         // and what was projected
};

RnnStepGradients rnn_gradients_by_operators(const RnnLayer& layer,
                                            const std::array<TensorBase, 3>& g, CallSite at);

}  // namespace eagre::ops
