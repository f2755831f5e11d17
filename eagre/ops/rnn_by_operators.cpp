// A layer of a recurrent network by operators: the recursions of kernels/cpu/isa/rnn_cells.h.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <eagre/base/call_site.h>
#include <eagre/core/rnn_kind.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/add.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/linear.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/relu.h>
#include <eagre/ops/rnn_by_operators.h>
#include <eagre/ops/rsub.h>
#include <eagre/ops/sigmoid.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/tanh.h>

namespace eagre::ops {
namespace {

// What a step had and made; sequences that are over have no rows.
struct Step {
  int64_t first, rows;
  TensorBase hidden_before, cell_before;
  TensorBase in, forget, fresh, out;  // LSTM; GRU calls its three reset, stay, fresh
  TensorBase inner, cell, whole, hidden;

  const TensorBase& reset() const { return in; }
  const TensorBase& stay() const { return forget; }
};

class Walk {
 public:
  Walk(const RnnLayer& layer, CallSite at)
      : layer_(layer), at_(at), batch_(layer.hidden.sizes()[0]) {
    const int64_t rows = layer.input.sizes()[0];
    if (layer.batch_sizes.empty()) {
      const int64_t count = batch_ == 0 ? 0 : rows / batch_;
      sizes_.assign(static_cast<size_t>(count), batch_);
    } else {
      sizes_.assign(layer.batch_sizes.begin(), layer.batch_sizes.end());
    }
    size_ = layer.kind == RnnKind::kLstm ? layer.cell.sizes()[1] : layer.hidden.sizes()[1];
  }

  // The steps in the order of the layer; the last states in `hidden` and `cell`.
  std::vector<Step> forward(TensorBase& hidden, TensorBase& cell) const {
    std::vector<Step> steps;
    hidden = layer_.hidden;
    cell = layer_.cell;
    if (sizes_.empty()) return steps;
    const TensorBase all = linear(layer_.input, layer_.w_ih, layer_.b_ih, at_);
    int64_t first = layer_.reverse ? layer_.input.sizes()[0] : 0;
    for (size_t i = 0; i < sizes_.size(); ++i) {
      const int64_t rows = sizes_[layer_.reverse ? sizes_.size() - 1 - i : i];
      if (layer_.reverse) first -= rows;
      steps.push_back(step(first, rows, narrow(all, 0, first, rows, at_), hidden, cell));
      if (!layer_.reverse) first += rows;
      hidden = replaced(hidden, steps.back().hidden);
      if (cell.defined()) cell = replaced(cell, steps.back().cell);
    }
    return steps;
  }

  // The first rows of a state are new.
  TensorBase replaced(const TensorBase& state, const TensorBase& rows) const {
    const int64_t count = rows.sizes()[0];
    if (count == batch_) return rows;
    return cat(TensorVector{rows, narrow(state, 0, count, batch_ - count, at_)}, 0, at_);
  }
  TensorBase rows_of(const TensorBase& state, int64_t count) const {
    return count == batch_ ? state : narrow(state, 0, 0, count, at_);
  }

  // A tensor of each step, one behind the other as in the data.
  TensorBase in_order(const std::vector<TensorBase>& each, const TensorBase& none) const {
    if (each.empty()) return none;
    TensorVector parts;
    for (size_t i = 0; i < each.size(); ++i) {
      parts.push_back(each[layer_.reverse ? each.size() - 1 - i : i]);
    }
    return parts.size() == 1 ? parts[0] : cat(parts, 0, at_);
  }

  // Gradients of one step, given those of the states behind it, which become those before it.
  struct Backward {
    std::vector<TensorBase> gates, state_gates, before, projected, whole;
  };
  void back(const Step& s, const TensorBase& g_output, TensorBase& g_hidden, TensorBase& g_cell,
            Backward& found) const {
    TensorBase g = sum(rows_of(g_hidden, s.rows), narrow(g_output, 0, s.first, s.rows, at_));
    if (layer_.w_hr.defined()) {
      found.projected.push_back(g);
      found.whole.push_back(s.whole);
      g = matmul(g, layer_.w_hr, at_);
    }
    TensorBase gates, state_gates, past;
    switch (layer_.kind) {
      case RnnKind::kTanh: gates = product(g, of_tanh(s.hidden)); break;
      case RnnKind::kRelu: gates = product(g, cast(gt(s.hidden, 0, at_), g.dtype(), at_)); break;
      case RnnKind::kLstm: {
        const TensorBase shown = tanh(s.cell, at_);
        const TensorBase change =
            sum(rows_of(g_cell, s.rows), product(product(g, s.out), of_tanh(shown)));
        gates = cat(TensorVector{product(product(change, s.fresh), of_sigmoid(s.in)),
                                 product(product(change, s.cell_before), of_sigmoid(s.forget)),
                                 product(product(change, s.in), of_tanh(s.fresh)),
                                 product(product(g, shown), of_sigmoid(s.out))},
                    1, at_);
        g_cell = replaced(g_cell, product(change, s.forget));
        break;
      }
      case RnnKind::kGru: {
        const TensorBase change = product(product(g, one_less(s.stay())), of_tanh(s.fresh));
        const TensorBase of_reset = product(product(change, s.inner), of_sigmoid(s.reset()));
        const TensorBase of_stay =
            product(product(g, sub(s.hidden_before, s.fresh, 1, at_)), of_sigmoid(s.stay()));
        gates = cat(TensorVector{of_reset, of_stay, change}, 1, at_);
        state_gates = cat(TensorVector{of_reset, of_stay, product(change, s.reset())}, 1, at_);
        past = product(g, s.stay());
        break;
      }
    }
    if (!state_gates.defined()) state_gates = gates;
    const TensorBase next = matmul(state_gates, layer_.w_hh, at_);
    g_hidden = replaced(g_hidden, past.defined() ? sum(next, past) : next);
    found.gates.push_back(gates);
    found.state_gates.push_back(state_gates);
    found.before.push_back(s.hidden_before);
  }

 private:
  TensorBase sum(const TensorBase& a, const TensorBase& b) const { return add(a, b, 1, at_); }
  TensorBase product(const TensorBase& a, const TensorBase& b) const { return mul(a, b, at_); }
  TensorBase one_less(const TensorBase& a) const { return rsub(a, 1, 1, at_); }
  TensorBase of_tanh(const TensorBase& y) const { return one_less(product(y, y)); }
  TensorBase of_sigmoid(const TensorBase& y) const { return product(y, one_less(y)); }
  TensorBase part(const TensorBase& all, int64_t i) const {
    return narrow(all, 1, i * size_, size_, at_);
  }

  Step step(int64_t first, int64_t rows, const TensorBase& input, const TensorBase& hidden,
            const TensorBase& cell) const {
    Step s{first, rows, rows_of(hidden, rows), {}, {}, {}, {}, {}, {}, {}, {}, {}};
    const TensorBase state = linear(s.hidden_before, layer_.w_hh, layer_.b_hh, at_);
    if (layer_.kind == RnnKind::kGru) {
      s.in = sigmoid(sum(part(input, 0), part(state, 0)), at_);
      s.forget = sigmoid(sum(part(input, 1), part(state, 1)), at_);
      s.inner = part(state, 2);
      s.fresh = tanh(sum(part(input, 2), product(s.in, s.inner)), at_);
      s.hidden = sum(s.fresh, product(s.forget, sub(s.hidden_before, s.fresh, 1, at_)));
      return s;
    }
    const TensorBase gates = sum(input, state);
    if (layer_.kind == RnnKind::kTanh) s.hidden = tanh(gates, at_);
    if (layer_.kind == RnnKind::kRelu) s.hidden = relu(gates, at_);
    if (layer_.kind != RnnKind::kLstm) return s;
    s.cell_before = rows_of(cell, rows);
    s.in = sigmoid(part(gates, 0), at_);
    s.forget = sigmoid(part(gates, 1), at_);
    s.fresh = tanh(part(gates, 2), at_);
    s.out = sigmoid(part(gates, 3), at_);
    s.cell = sum(product(s.forget, s.cell_before), product(s.in, s.fresh));
    s.whole = product(s.out, tanh(s.cell, at_));
    s.hidden = layer_.w_hr.defined() ? linear(s.whole, layer_.w_hr, {}, at_) : s.whole;
    return s;
  }

  const RnnLayer& layer_;
  CallSite at_;
  int64_t batch_, size_ = 0;
  std::vector<int64_t> sizes_;
};

}  // namespace

std::array<TensorBase, 3> rnn_by_operators(const RnnLayer& layer, CallSite at) {
  const Walk walk(layer, at);
  TensorBase hidden, cell;
  std::vector<TensorBase> results;
  for (const Step& step : walk.forward(hidden, cell)) results.push_back(step.hidden);
  // Without a step there are no rows, of which the state has as many.
  const TensorBase none = narrow(layer.hidden, 0, 0, 0, at);
  return {walk.in_order(results, none), hidden, cell};
}

RnnStepGradients rnn_gradients_by_operators(const RnnLayer& layer,
                                            const std::array<TensorBase, 3>& g, CallSite at) {
  const Walk walk(layer, at);
  TensorBase hidden, cell, g_hidden = g[1], g_cell = g[2];
  const std::vector<Step> steps = walk.forward(hidden, cell);
  Walk::Backward found;
  for (size_t i = steps.size(); i-- > 0;) walk.back(steps[i], g[0], g_hidden, g_cell, found);
  // The walk back finds the last step first.
  const auto in_order = [&](std::vector<TensorBase>& each, const TensorBase& none) {
    return walk.in_order({each.rbegin(), each.rend()}, none);
  };
  const TensorBase no_gates = narrow(linear(layer.input, layer.w_ih, {}, at), 0, 0, 0, at);
  const TensorBase no_state = narrow(layer.hidden, 0, 0, 0, at);
  RnnStepGradients all{in_order(found.gates, no_gates),
                       in_order(found.state_gates, no_gates),
                       g_hidden,
                       g_cell,
                       in_order(found.before, no_state),
                       {},
                       {}};
  if (layer.w_hr.defined()) {
    all.projected = in_order(found.projected, no_state);
    all.whole = in_order(found.whole, narrow(layer.cell, 0, 0, 0, at));
  }
  return all;
}

}  // namespace eagre::ops
