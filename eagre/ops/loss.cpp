// Losses of classes, and the gradient of cross_entropy.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/loss_reduction.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/cross_entropy.h>
#include <eagre/ops/cross_entropy_fused_grad.h>
#include <eagre/ops/cross_entropy_grad.h>
#include <eagre/ops/cross_entropy_rows.h>
#include <eagre/ops/div.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/linear.h>
#include <eagre/ops/linear_cross_entropy.h>
#include <eagre/ops/log_softmax.h>
#include <eagre/ops/log_softmax_grad.h>
#include <eagre/ops/loss_reduction.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/nll_loss.h>
#include <eagre/ops/put_along.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/rows_at.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/take_along.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

// Scores or log-probabilities, (C), (N, C) or (N, C, …), and their classes, (), (N) or (N, …).
struct Classes {
  const char* op;
  const TensorBase& input;
  const TensorBase& target;
  const TensorBase& weight;
  int64_t ignored;
  int64_t dim() const { return input.dim() == 1 ? 0 : 1; }
  int64_t count() const { return input.sizes()[static_cast<size_t>(dim())]; }

  void check() const {
    if (input.dim() == 0) refuse("input", "scores (C), (N, C) or (N, C, …)", "a 0-dim tensor");
    if (target.dtype() != kInt64 && target.dtype() != kInt32 && target.dtype() != kUInt8) {
      raise(ErrorKind::kType,
            ArgumentProblem{op, "target", "class numbers of int64, int32 or uint8",
                            std::string(to_string(target.dtype()))});
    }
    DimVector wanted = input.sizes();
    wanted.erase(static_cast<size_t>(dim()));
    if (target.sizes() != Dims(wanted)) {
      const std::string expected =
          concat("of shape ", wanted, ", to fit 'input' of shape ", input.sizes());
      if (input.dim() > 2) refuse("target", expected, shape_text(target));
      // What PyTorch says of these ranks, which people search for.
      invalid_argument(op,
                       input.dim() == 1 ? "For 1D input, 1D target must have size 1"
                                        : "1D target tensor expected, multi-target not supported",
                       "target", expected, shape_text(target));
    }
    check_weight();
  }
  void check_weight() const {
    if (weight.defined() && (weight.dim() != 1 || weight.sizes()[0] != count())) {
      raise(ErrorKind::kInvalidArgument,
            concat(op, "(): weight tensor should be defined either for all ", count(),
                   " classes or no classes, but argument 'weight' has shape ", weight.sizes()));
    }
  }
  // Every class times its weight.
  TensorBase weighted(const TensorBase& logs, CallSite at) const {
    if (!weight.defined()) return logs;
    TensorBase factors = weight;
    for (int64_t d = dim() + 1; d < logs.dim(); ++d) factors = unsqueeze(factors, -1, at);
    return mul(logs, factors, at);
  }
  // How much each element counts, in all. Ignored ones do not.
  TensorBase total(CallSite at) const {
    if (weight.defined()) return sum(weights(at), {}, false, {}, at);
    return sum(ne(target, ignored, at), {}, false, input.dtype(), at);
  }
  TensorBase weights(CallSite at) const {
    return rows_at(weight, target, ignored, true, op, "target", at);
  }
  TensorBase losses(CallSite at) const {
    const TensorBase places = unsqueeze(target, dim(), at);
    const TensorBase taken = take_along(input, places, dim(), op, "target", ignored, at);
    TensorBase each = neg(squeeze(taken, dim(), at), at);
    return weight.defined() ? mul(each, weights(at), at) : each;
  }
  TensorBase reduce(const TensorBase& each, LossReduction how, CallSite at) const {
    if (how == LossReduction::kNone) return each;
    TensorBase all = sum(each, {}, false, {}, at);
    return how == LossReduction::kSum ? all : div(all, total(at), at);
  }
  [[noreturn]] void refuse(const char* argument, std::string expected, std::string got) const {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument, std::move(expected), std::move(got)});
  }
};

// Scores and the probability that is wanted of each class.
struct Probabilities {
  const Classes& scores;
  double smoothing;

  void check() const {
    const TensorBase& target = scores.target;
    if (!is_floating_point(target.dtype())) {
      raise(ErrorKind::kType,
            ArgumentProblem{scores.op, "target",
                            "probabilities of a floating dtype, as it has the shape of 'input'",
                            std::string(to_string(target.dtype())),
                            "class numbers have one dimension less"});
    }
    if (scores.ignored >= 0) {
      scores.refuse("ignore_index", "left out, as 'target' holds probabilities",
                    std::to_string(scores.ignored));
    }
    scores.check_weight();
  }
  TensorBase loss(LossReduction how, CallSite at) const {
    const auto classes = static_cast<double>(scores.count());
    TensorBase wanted = scores.target;
    if (smoothing > 0) {
      wanted = add(mul(wanted, 1 - smoothing, at), smoothing / classes, 1, at);
    }
    const TensorBase logs = log_softmax(scores.input, scores.dim(), {}, at);
    const TensorBase each = neg(mul(scores.weighted(logs, at), wanted, at), at);
    if (how == LossReduction::kNone) return sum(each, scores.dim(), false, {}, at);
    TensorBase all = sum(each, {}, false, {}, at);
    if (how == LossReduction::kSum) return all;
    return div(all, static_cast<double>(scores.input.numel()) / classes, at);
  }
};

// The loss if every class were wanted as much as any other.
TensorBase even_losses(const Classes& classes, CallSite at) {
  const TensorBase input = classes.weighted(classes.input, at);
  TensorBase each = neg(sum(input, classes.dim(), false, {}, at), at);
  const TensorBase counts = cast(ne(classes.target, classes.ignored, at), input.dtype(), at);
  return mul(each, counts, at);
}

}  // namespace

TensorBase nll_loss(const TensorBase& input, const TensorBase& target, const TensorBase& weight,
                    std::string_view reduction, int64_t ignore_index, CallSite at) {
  const LossReduction how = parse_reduction("nll_loss", reduction);
  const Classes classes{"nll_loss", input, target, weight, ignore_index};
  classes.check();
  return classes.reduce(classes.losses(at), how, at);
}

TensorBase cross_entropy(const TensorBase& input, const TensorBase& target,
                         const TensorBase& weight, std::string_view reduction, int64_t ignore_index,
                         double label_smoothing, CallSite at) {
  const LossReduction how = parse_reduction("cross_entropy", reduction);
  const Classes scores{"cross_entropy", input, target, weight, ignore_index};
  if (!(label_smoothing >= 0 && label_smoothing <= 1)) {
    scores.refuse("label_smoothing", "a number from 0 to 1",
                  concat(label_smoothing, ". Hint: label_smoothing must be between 0.0 and 1.0"));
  }
  if (input.dim() != 0 && input.sizes() == target.sizes()) {
    const Probabilities wanted{scores, label_smoothing};
    wanted.check();
    return wanted.loss(how, at);
  }
  scores.check();
  const bool is_fused = !autograd::are_transformed(input, target);
  if (is_fused && !weight.defined() && label_smoothing == 0 && input.dim() <= 2) {
    const bool is_row = input.dim() == 1;
    const TensorBase rows = is_row ? unsqueeze(input, 0, at) : input;
    const TensorBase wanted = is_row ? unsqueeze(target, 0, at) : target;
    TensorBase loss =
        std::get<0>(cross_entropy_rows(rows, wanted, ignore_index, static_cast<int64_t>(how), at));
    return is_row && how == LossReduction::kNone ? squeeze(loss, 0, at) : loss;
  }
  const TensorBase logs = log_softmax(input, scores.dim(), {}, at);
  const Classes classes{"cross_entropy", logs, target, weight, ignore_index};
  TensorBase loss = classes.reduce(classes.losses(at), how, at);
  if (label_smoothing == 0) return loss;
  const TensorBase even = classes.reduce(even_losses(classes, at), how, at);
  const double share = label_smoothing / static_cast<double>(scores.count());
  return add(mul(loss, 1 - label_smoothing, at), even, share, at);
}

TensorBase linear_cross_entropy(const TensorBase& input, const TensorBase& linear_weight,
                                const TensorBase& target, const TensorBase& linear_bias,
                                const TensorBase& weight, std::string_view reduction,
                                std::optional<int64_t> ignore_index, double label_smoothing,
                                CallSite at) {
  constexpr const char* kOp = "linear_cross_entropy";
  const SiteScope scope(at);
  if (input.dim() != 1 && input.dim() != 2) {
    invalid_argument(kOp, "input", "features (N, F) or (F)", shape_text(input));
  }
  const int64_t features = input.sizes().back();
  if (linear_weight.dim() < 2 || linear_weight.sizes().back() != features) {
    invalid_argument(kOp, "linear_weight", concat("(C, ", features, ") or (C, …, ", features, ")"),
                     shape_text(linear_weight));
  }
  if (input.dim() == 1 && linear_weight.dim() != 2) {
    invalid_argument(kOp, "input",
                     "several samples (N, F), as 'linear_weight' has dimensions behind C",
                     shape_text(input));
  }
  DimVector scores = linear_weight.sizes();
  scores.erase(scores.size() - 1);
  if (linear_bias.defined() && linear_bias.sizes() != Dims(scores)) {
    invalid_argument(kOp, "linear_bias", concat("shape ", scores), shape_text(linear_bias));
  }
  const int64_t count = checked_numel(kOp, scores);
  const TensorBase rows = reshape(linear_weight, Dims({count, features}), at);
  const TensorBase bias =
      linear_bias.defined() ? reshape(linear_bias, Dims(count), at) : linear_bias;
  if (input.dim() == 2) scores.insert(0, input.sizes()[0]);
  const TensorBase logits = reshape(linear(input, rows, bias, at), scores, at);
  return cross_entropy(logits, target, weight, reduction, ignore_index.value_or(-100),
                       label_smoothing, at);
}

TensorBase cross_entropy_grad(const TensorBase& g, const TensorBase& input,
                              const TensorBase& log_sum, const TensorBase& target,
                              const TensorBase& count, int64_t ignore_index, int64_t reduction,
                              CallSite at) {
  const auto how = static_cast<LossReduction>(reduction);
  TensorBase rows = how == LossReduction::kMean ? div(g, count, at) : g;
  if (how != LossReduction::kNone) rows = expand(rows, target.sizes(), at);
  if (!autograd::is_traced(g, input)) {
    return cross_entropy_fused_grad(rows, input, log_sum, target, ignore_index, at);
  }
  const TensorBase wanted = put_along(neg(unsqueeze(rows, 1, at), at), unsqueeze(target, 1, at),
                                      input.sizes(), 1, ignore_index, at);
  return log_softmax_grad(wanted, log_softmax(input, 1, {}, at), 1, at);
}

}  // namespace eagre::ops
