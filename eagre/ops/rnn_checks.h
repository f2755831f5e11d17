// What recurrent networks demand of their weights and states.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/core/rnn_kind.h>
#include <eagre/ops/given_tensors.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/rnn_by_operators.h>
#include <eagre/ops/rnn_layer.h>

namespace eagre::ops {

// The weights of one layer and direction; those that are left out are undefined.
struct RnnWeights {
  const char* op;
  RnnKind kind;
  TensorBase w_ih, w_hh, b_ih, b_hh, w_hr;

  // `size`: of a cell; `state`: of what it hands on.
  void check(int64_t size, int64_t state) const {
    const int64_t gates = gate_count(kind), width = gates * size;
    check_matrix("weight_ih", w_ih, width, size);
    check_matrix("weight_hh", w_hh, width, size);
    if (w_hh.sizes()[1] != state) {
      invalid_argument(
          op, "weight_hh",
          concat("a matrix with ", state, " columns, one for each element of the state"),
          shape_text(w_hh));
    }
    check_bias("bias_ih", b_ih, width);
    check_bias("bias_hh", b_hh, width);
    if (!w_hr.defined()) return;
    if (w_hr.dim() == 2 && w_hr.sizes()[0] == state && w_hr.sizes()[1] == size) return;
    invalid_argument(op, "weight_hr", concat("a matrix of ", state, " rows and ", size, " columns"),
                     shape_text(w_hr));
  }

  // Devices and dtypes, before the layer asks for them under its own names. The weights of networks
  // are given in a list, those of cells one by one.
  void check_beside(const TensorBase& input, const TensorBase& hidden, const TensorBase& cell,
                    bool in_list) const {
    const auto name = [&](const char* own) { return in_list ? "params" : own; };
    const std::initializer_list<NamedTensor> given = {
        {input, "input"},     {hidden, "hx"},       {cell, "hx"},         {w_ih, name("w_ih")},
        {w_hh, name("w_hh")}, {b_ih, name("b_ih")}, {b_hh, name("b_hh")}, {w_hr, "params"}};
    check_devices(op, given);
    check_dtypes(op, given);
  }

 private:
  void check_matrix(const char* name, const TensorBase& weight, int64_t rows, int64_t size) const {
    if (weight.dim() != 2) invalid_argument(op, name, "a matrix", shape_text(weight));
    const int64_t gates = gate_count(kind);
    EAGRE_CHECK(weight.sizes()[0] == rows, kInvalidArgument, op, "(): ", name,
                " first dim must be ", gates, " * hidden_size = ", gates * size, ", but got ",
                weight.sizes()[0]);
  }
  void check_bias(const char* name, const TensorBase& bias, int64_t width) const {
    if (!bias.defined() || (bias.dim() == 1 && bias.sizes()[0] == width)) return;
    invalid_argument(op, name, concat("a vector of ", width, " elements"), shape_text(bias));
  }
};

// A bit for each of these that will have a gradient.
template <class... Tensors>
int64_t wanted_gradients(const Tensors&... tensors) {
  int64_t found = 0, bit = 1;
  ((found |= autograd::should_record(tensors) ? bit : 0, bit <<= 1), ...);
  return found;
}

// One layer in one direction, by operators if they have rules that a kernel lacks.
inline std::array<TensorBase, 3> run_rnn_layer(const TensorBase& input, const TensorBase& hidden,
                                               const TensorBase& cell, const RnnWeights& weights,
                                               Dims batch_sizes, bool reverse, CallSite at) {
  if (autograd::are_transformed(input, hidden, cell, weights.w_ih, weights.w_hh, weights.b_ih,
                                weights.b_hh, weights.w_hr)) {
    return rnn_by_operators({input, hidden, cell, weights.w_ih, weights.w_hh, weights.b_ih,
                             weights.b_hh, weights.w_hr, batch_sizes, weights.kind, reverse},
                            at);
  }
  const int64_t wanted = wanted_gradients(input, hidden, cell, weights.w_ih, weights.w_hh,
                                          weights.b_ih, weights.b_hh, weights.w_hr);
  auto [output, last_hidden, last_cell, gates, kept] =
      rnn_layer(input, hidden, cell, weights.w_ih, weights.w_hh, weights.b_ih, weights.b_hh,
                weights.w_hr, batch_sizes, static_cast<int64_t>(weights.kind), reverse, wanted, at);
  return {output, last_hidden, last_cell};
}

}  // namespace eagre::ops
