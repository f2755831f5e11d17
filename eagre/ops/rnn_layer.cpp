// The gradients of a layer of a recurrent network: the steps backwards, by a kernel or where they
// are recorded by operators; then products of all steps.
#include <array>
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/core/rnn_kind.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/rnn_by_operators.h>
#include <eagre/ops/rnn_layer_fused_grad.h>
#include <eagre/ops/rnn_layer_grad.h>
#include <eagre/ops/rnn_layer_grads.h>
#include <eagre/ops/rnn_weights_fused_grad.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/transpose.h>

namespace eagre::ops {
namespace {

// As `rnn_layer` has them.
constexpr int64_t kInput = 0, kHidden = 1, kCell = 2, kInputWeight = 3, kStateWeight = 4,
                  kInputBias = 5, kStateBias = 6, kProjection = 7, kCount = 8;

// The products of all rows of `g` and `rows`, added up.
TensorBase weight_grad(const TensorBase& g, const TensorBase& rows, CallSite at) {
  return matmul(transpose(g, 0, 1, at), rows, at);
}
TensorBase bias_grad(const TensorBase& g, CallSite at) {
  const int64_t rows[] = {0};
  return sum(g, Dims(rows, 1), false, {}, at);
}

TensorBase gradient(const RnnLayer& layer, const RnnStepGradients& steps, int64_t which,
                    CallSite at) {
  switch (which) {
    case kInput: return matmul(steps.gates, layer.w_ih, at);
    case kHidden: return steps.hidden;
    case kCell: return steps.cell;
    case kInputWeight: return weight_grad(steps.gates, layer.input, at);
    case kStateWeight: return weight_grad(steps.state_gates, steps.before, at);
    case kInputBias: return bias_grad(steps.gates, at);
    case kStateBias: return bias_grad(steps.state_gates, at);
    default: return weight_grad(steps.projected, steps.whole, at);
  }
}

// What the forward call made, and the gradients of its results.
struct RnnResults {
  const TensorBase &g_output, &g_last_hidden, &g_last_cell, &output, &gates, &kept;
};

RnnStepGradients by_kernel(const RnnLayer& layer, const RnnResults& results, CallSite at) {
  auto [gates, state_gates, hidden, cell, before, projected, whole] = rnn_layer_fused_grad(
      results.g_output, results.g_last_hidden, results.g_last_cell, layer.hidden, layer.cell,
      layer.w_hh, layer.w_hr, results.output, results.gates, results.kept, layer.batch_sizes,
      static_cast<int64_t>(layer.kind), layer.reverse, at);
  if (layer.kind != RnnKind::kGru) state_gates = gates;
  return {gates, state_gates, hidden, cell, before, projected, whole};
}

}  // namespace

std::array<TensorBase, 8> rnn_layer_grads(
    const TensorBase& g_output, const TensorBase& g_last_hidden, const TensorBase& g_last_cell,
    const TensorBase& input, const TensorBase& hidden, const TensorBase& cell,
    const TensorBase& w_ih, const TensorBase& w_hh, const TensorBase& b_ih, const TensorBase& b_hh,
    const TensorBase& w_hr, const TensorBase& output, const TensorBase& gates,
    const TensorBase& kept, Dims batch_sizes, int64_t kind, bool reverse, int64_t wanted,
    CallSite at) {
  const RnnLayer layer{input,  hidden, cell, w_ih,        w_hh,
                       b_ih,   b_hh,   w_hr, batch_sizes, static_cast<RnnKind>(kind),
                       reverse};
  const RnnStepGradients steps =
      by_kernel(layer, {g_output, g_last_hidden, g_last_cell, output, gates, kept}, at);
  std::array<TensorBase, 8> all;
  constexpr int64_t kWeights = (1 << kInputWeight) | (1 << kStateWeight);
  // Both are products of the same gradients, but for GRU.
  const bool share = layer.kind != RnnKind::kGru && (wanted & kWeights) == kWeights;
  if (share) {
    auto [w_ih_grad, w_hh_grad] = rnn_weights_fused_grad(steps.gates, input, steps.before, at);
    all[kInputWeight] = w_ih_grad;
    all[kStateWeight] = w_hh_grad;
  }
  for (int64_t i = 0; i < kCount; ++i) {
    const auto place = static_cast<size_t>(i);
    if ((wanted >> i & 1) == 0 || all[place].defined()) continue;
    // One sum serves both biases where their gradients are the same.
    const bool is_known =
        i == kStateBias && layer.kind != RnnKind::kGru && all[place - 1].defined();
    all[place] = is_known ? all[place - 1] : gradient(layer, steps, i, at);
  }
  return all;
}

TensorBase rnn_layer_grad(const TensorBase& g_output, const TensorBase& g_last_hidden,
                          const TensorBase& g_last_cell, const TensorBase& input,
                          const TensorBase& hidden, const TensorBase& cell, const TensorBase& w_ih,
                          const TensorBase& w_hh, const TensorBase& b_ih, const TensorBase& b_hh,
                          const TensorBase& w_hr, const TensorBase& output, const TensorBase& gates,
                          const TensorBase& kept, Dims batch_sizes, int64_t kind, bool reverse,
                          int64_t which, CallSite at) {
  const RnnLayer layer{input,  hidden, cell, w_ih,        w_hh,
                       b_ih,   b_hh,   w_hr, batch_sizes, static_cast<RnnKind>(kind),
                       reverse};
  const bool is_traced = autograd::is_traced(g_output, g_last_hidden, g_last_cell, input, hidden,
                                             cell, w_ih, w_hh, b_ih, b_hh, w_hr);
  const RnnStepGradients steps =
      is_traced ? rnn_gradients_by_operators(layer, {g_output, g_last_hidden, g_last_cell}, at)
                : by_kernel(layer, {g_output, g_last_hidden, g_last_cell, output, gates, kept}, at);
  return gradient(layer, steps, which, at);
}

}  // namespace eagre::ops
