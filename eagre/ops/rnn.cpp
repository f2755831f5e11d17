// rnn_tanh, rnn_relu, gru and lstm: checks of what was given, and layers and directions.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/rnn_kind.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/dropout.h>
#include <eagre/ops/gru.h>
#include <eagre/ops/gru_packed.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/lstm.h>
#include <eagre/ops/lstm_packed.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/rnn_batch_sizes.h>
#include <eagre/ops/rnn_checks.h>
#include <eagre/ops/rnn_relu.h>
#include <eagre/ops/rnn_relu_packed.h>
#include <eagre/ops/rnn_tanh.h>
#include <eagre/ops/rnn_tanh_packed.h>
#include <eagre/ops/select.h>
#include <eagre/ops/stack.h>
#include <eagre/ops/transpose.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

// A network as users describe it.
struct Network {
  const char* op;
  RnnKind kind;
  TensorList params;
  bool has_biases;
  int64_t layers;
  double dropout;
  bool train;
  int64_t directions;
};

// Results of the last layer, and the last states of all.
using Results = std::array<TensorBase, 3>;

class Run {
 public:
  // `hidden` and `cell` are (layers * directions, batch, size).
  Run(const Network& network, const TensorBase& hidden, const TensorBase& cell, int64_t batch,
      CallSite at)
      : net_(network), hidden_(hidden), cell_(cell), at_(at) {
    EAGRE_CHECK(net_.layers > 0, kInvalidArgument, net_.op,
                "(): num_layers must be greater than zero, but got ", net_.layers);
    EAGRE_CHECK(net_.dropout >= 0 && net_.dropout <= 1, kInvalidArgument, net_.op,
                "(): dropout should be a number in range [0, 1] representing the probability of an "
                "element being zeroed, but got ",
                net_.dropout);
    check_state(cell.defined() ? "[0]" : "", hidden, batch);
    if (cell.defined()) check_state("[1]", cell, batch);
    state_ = hidden.sizes()[2];
    size_ = cell.defined() ? cell.sizes()[2] : state_;
    check_count();
  }

  // `input`: rows of packed data.
  Results of(TensorBase input, Dims batch_sizes) const {
    TensorVector hidden, cell;
    for (int64_t layer = 0; layer < net_.layers; ++layer) {
      if (layer > 0 && net_.train && net_.dropout > 0) {
        input = dropout(input, net_.dropout, true, at_);
      }
      TensorVector results;
      for (int64_t direction = 0; direction < net_.directions; ++direction) {
        const int64_t i = layer * net_.directions + direction;
        const RnnWeights weights = weights_of(i);
        check_input(input, weights.w_ih, layer);
        weights.check(size_, state_);
        weights.check_beside(input, hidden_, cell_, true);
        const TensorBase first = select(hidden_, 0, i, at_);
        const TensorBase first_cell = cell_.defined() ? select(cell_, 0, i, at_) : TensorBase();
        const Results made =
            run_rnn_layer(input, first, first_cell, weights, batch_sizes, direction == 1, at_);
        results.push_back(made[0]);
        hidden.push_back(made[1]);
        if (cell_.defined()) cell.push_back(made[2]);
      }
      input = results.size() == 1 ? results[0] : cat(results, 1, at_);
    }
    return {input, all(hidden), cell_.defined() ? all(cell) : TensorBase()};
  }

 private:
  TensorBase all(const TensorVector& states) const {
    return states.size() == 1 ? unsqueeze(states[0], 0, at_) : stack(states, 0, at_);
  }

  void check_state(const char* which, const TensorBase& state, int64_t batch) const {
    const int64_t count = net_.layers <= INT64_MAX / 2 ? net_.layers * net_.directions : INT64_MAX;
    EAGRE_CHECK(state.dim() == 3, kInvalidArgument, net_.op,
                "(): For batched 3-D input, hx should also be 3-D but got ", state.dim(),
                "-D tensor");
    const int64_t expected[] = {count, batch, state.sizes()[2]};
    EAGRE_CHECK(state.sizes() == Dims(expected, 3), kInvalidArgument, net_.op,
                "(): Expected hidden", which, " size (", count, ", ", batch, ", ", state.sizes()[2],
                "), got ", state.sizes());
  }

  bool projects() const { return state_ != size_; }
  size_t stride() const { return 2 + (net_.has_biases ? 2U : 0U) + (projects() ? 1U : 0U); }

  void check_count() const {
    const auto parts = static_cast<size_t>(net_.layers) * static_cast<size_t>(net_.directions);
    const size_t count = net_.params.size();
    // No product: it could be too large.
    const bool fits = count % stride() == 0 && count / stride() == parts;
    EAGRE_CHECK(fits, kInvalidArgument, net_.op,
                "(): got an incorrect number of RNN parameters: expected ", stride(),
                " tensors for each of ", parts, " layers and directions, but got ", count,
                projects() ? ", of networks whose parts of the state have other sizes" : "");
  }

  RnnWeights weights_of(int64_t i) const {
    const TensorBase* own = net_.params.data() + static_cast<size_t>(i) * stride();
    RnnWeights weights{net_.op, net_.kind, own[0], own[1], {}, {}, {}};
    if (net_.has_biases) {
      weights.b_ih = own[2];
      weights.b_hh = own[3];
    }
    if (projects()) weights.w_hr = own[stride() - 1];
    return weights;
  }

  void check_input(const TensorBase& input, const TensorBase& w_ih, int64_t layer) const {
    if (w_ih.dim() != 2) {
      invalid_argument(net_.op, "params", "weights that are matrices", shape_text(w_ih));
    }
    if (layer == 0) {
      EAGRE_CHECK(input.sizes()[1] == w_ih.sizes()[1], kInvalidArgument, net_.op,
                  "(): input.size(-1) must be equal to input_size. Expected ", w_ih.sizes()[1],
                  ", got ", input.sizes()[1]);
    }
    if (input.sizes()[1] != w_ih.sizes()[1]) {
      invalid_argument(net_.op, "params",
                       concat("a weight_ih with ", input.sizes()[1], " columns in layer ", layer),
                       shape_text(w_ih));
    }
  }

  const Network& net_;
  const TensorBase& hidden_;
  const TensorBase& cell_;
  CallSite at_;
  int64_t state_ = 0, size_ = 0;
};

Results padded(const Network& net, const TensorBase& input, const TensorBase& hidden,
               const TensorBase& cell, bool batch_first, CallSite at) {
  EAGRE_CHECK(input.dim() == 3, kInvalidArgument, net.op, "(): input must have 3 dimensions, got ",
              input.dim());
  const TensorBase steps = batch_first ? transpose(input, 0, 1, at) : input;
  const int64_t count = steps.sizes()[0], batch = steps.sizes()[1], features = steps.sizes()[2];
  EAGRE_CHECK(count > 0, kInvalidArgument, net.op,
              "(): Expected sequence length to be larger than 0 in RNN, but got ",
              shape_text(input));
  const Run run(net, hidden, cell, batch, at);
  Results results = run.of(reshape(steps, Dims({count * batch, features}), at), Dims());
  const int64_t width = results[0].sizes()[1];
  results[0] = reshape(results[0], Dims({count, batch, width}), at);
  if (batch_first) results[0] = transpose(results[0], 0, 1, at);
  return results;
}

Results packed(const Network& net, const TensorBase& data, const TensorBase& batch_sizes,
               const TensorBase& hidden, const TensorBase& cell, CallSite at) {
  EAGRE_CHECK(data.dim() == 2, kInvalidArgument, net.op, "(): input must have 2 dimensions, got ",
              data.dim());
  const DimVector sizes = checked_batch_sizes(net.op, batch_sizes, data.sizes()[0]);
  return Run(net, hidden, cell, sizes[0], at).of(data, sizes);
}

void check_states(const char* op, TensorList hx) {
  EAGRE_CHECK(hx.size() == 2, kInvalidArgument, op,
              "(): lstm expects two hidden states: argument 'hx' must be 2 tensors, but got ",
              hx.size());
}

int64_t directions(bool bidirectional) { return bidirectional ? 2 : 1; }
std::array<TensorBase, 2> without_cell(const Results& results) { return {results[0], results[1]}; }

}  // namespace

std::array<TensorBase, 2> rnn_tanh(const TensorBase& input, const TensorBase& hx, TensorList params,
                                   bool has_biases, int64_t num_layers, double dropout, bool train,
                                   bool bidirectional, bool batch_first, CallSite at) {
  return without_cell(padded({"rnn_tanh", RnnKind::kTanh, params, has_biases, num_layers, dropout,
                              train, directions(bidirectional)},
                             input, hx, {}, batch_first, at));
}

std::array<TensorBase, 2> rnn_tanh_packed(const TensorBase& data, const TensorBase& batch_sizes,
                                          const TensorBase& hx, TensorList params, bool has_biases,
                                          int64_t num_layers, double dropout, bool train,
                                          bool bidirectional, CallSite at) {
  return without_cell(packed({"rnn_tanh", RnnKind::kTanh, params, has_biases, num_layers, dropout,
                              train, directions(bidirectional)},
                             data, batch_sizes, hx, {}, at));
}

std::array<TensorBase, 2> rnn_relu(const TensorBase& input, const TensorBase& hx, TensorList params,
                                   bool has_biases, int64_t num_layers, double dropout, bool train,
                                   bool bidirectional, bool batch_first, CallSite at) {
  return without_cell(padded({"rnn_relu", RnnKind::kRelu, params, has_biases, num_layers, dropout,
                              train, directions(bidirectional)},
                             input, hx, {}, batch_first, at));
}

std::array<TensorBase, 2> rnn_relu_packed(const TensorBase& data, const TensorBase& batch_sizes,
                                          const TensorBase& hx, TensorList params, bool has_biases,
                                          int64_t num_layers, double dropout, bool train,
                                          bool bidirectional, CallSite at) {
  return without_cell(packed({"rnn_relu", RnnKind::kRelu, params, has_biases, num_layers, dropout,
                              train, directions(bidirectional)},
                             data, batch_sizes, hx, {}, at));
}

std::array<TensorBase, 2> gru(const TensorBase& input, const TensorBase& hx, TensorList params,
                              bool has_biases, int64_t num_layers, double dropout, bool train,
                              bool bidirectional, bool batch_first, CallSite at) {
  return without_cell(padded({"gru", RnnKind::kGru, params, has_biases, num_layers, dropout, train,
                              directions(bidirectional)},
                             input, hx, {}, batch_first, at));
}

std::array<TensorBase, 2> gru_packed(const TensorBase& data, const TensorBase& batch_sizes,
                                     const TensorBase& hx, TensorList params, bool has_biases,
                                     int64_t num_layers, double dropout, bool train,
                                     bool bidirectional, CallSite at) {
  return without_cell(packed({"gru", RnnKind::kGru, params, has_biases, num_layers, dropout, train,
                              directions(bidirectional)},
                             data, batch_sizes, hx, {}, at));
}

std::array<TensorBase, 3> lstm(const TensorBase& input, TensorList hx, TensorList params,
                               bool has_biases, int64_t num_layers, double dropout, bool train,
                               bool bidirectional, bool batch_first, CallSite at) {
  check_states("lstm", hx);
  return padded({"lstm", RnnKind::kLstm, params, has_biases, num_layers, dropout, train,
                 directions(bidirectional)},
                input, hx[0], hx[1], batch_first, at);
}

std::array<TensorBase, 3> lstm_packed(const TensorBase& data, const TensorBase& batch_sizes,
                                      TensorList hx, TensorList params, bool has_biases,
                                      int64_t num_layers, double dropout, bool train,
                                      bool bidirectional, CallSite at) {
  check_states("lstm", hx);
  return packed({"lstm", RnnKind::kLstm, params, has_biases, num_layers, dropout, train,
                 directions(bidirectional)},
                data, batch_sizes, hx[0], hx[1], at);
}

}  // namespace eagre::ops
