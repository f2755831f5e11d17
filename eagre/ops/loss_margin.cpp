// Losses that want a margin between numbers.
#include <cstdint>
#include <string>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/loss_reduction.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/arange.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/cosine_embedding_loss.h>
#include <eagre/ops/cumsum.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/hinge_embedding_loss.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/log_sigmoid.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/logical_not.h>
#include <eagre/ops/logical_or.h>
#include <eagre/ops/loss_reduction.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/margin_ranking_loss.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/mean.h>
#include <eagre/ops/minimum.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/multi_margin_loss.h>
#include <eagre/ops/multilabel_margin_loss.h>
#include <eagre/ops/multilabel_soft_margin_loss.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/pairwise_distance.h>
#include <eagre/ops/rows_at.h>
#include <eagre/ops/rsub.h>
#include <eagre/ops/soft_margin_loss.h>
#include <eagre/ops/sqrt.h>
#include <eagre/ops/square.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/take_along.h>
#include <eagre/ops/triplet_margin_loss.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

TensorBase below(const TensorBase& tensor, double margin, CallSite at) {
  return clamp_min(rsub(tensor, margin, 1, at), 0, at);
}

// Nothing where a loss does not apply.
TensorBase only_where(const TensorBase& applies, const TensorBase& loss, CallSite at) {
  return masked_fill(loss, logical_not(applies, at), 0, at);
}

void check_same_rank(const char* op, const char* argument, const TensorBase& tensor,
                     const char* first, int64_t rank) {
  if (tensor.dim() == rank) return;
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): expected tensors with the same number of dimensions, but argument '",
               argument, "' has ", tensor.dim(), " and '", first, "' has ", rank));
}

void check_class_numbers(const char* op, const TensorBase& target) {
  if (target.dtype() == kInt64) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "target", "class numbers of int64", concat(target.dtype())});
}

// Scores of samples: of several, of one, or of one class.
void check_scores(const char* op, const TensorBase& input) {
  const int64_t classes = input.dim() == 0 ? 1 : input.sizes().back();
  if (input.dim() <= 2 && classes != 0) return;
  invalid_argument(op, "input", "scores (C) or (N, C) of at least one class", shape_text(input));
}

// (N, C), of one sample too.
TensorBase in_rows(const TensorBase& tensor, CallSite at) {
  TensorBase rows = tensor;
  while (rows.dim() < 2) rows = unsqueeze(rows, 0, at);
  return rows;
}

TensorBase class_numbers(const TensorBase& like, int64_t count, CallSite at) {
  return arange(count, TensorOptions(kInt64).device(like.device()), at);
}

}  // namespace

TensorBase hinge_embedding_loss(const TensorBase& input, const TensorBase& target, double margin,
                                std::string_view reduction, CallSite at) {
  const SiteScope scope(at);
  const LossReduction how = parse_reduction("hinge_embedding_loss", reduction);
  broadcast_shapes("hinge_embedding_loss", input.sizes(), target.sizes());
  // A target that is neither 1 nor -1 counts as both, as in PyTorch.
  const TensorBase apart = only_where(ne(target, 1, at), below(input, margin, at), at);
  const TensorBase together = only_where(ne(target, -1, at), input, at);
  return reduce_losses(add(apart, together, 1, at), how, at);
}

TensorBase cosine_embedding_loss(const TensorBase& input1, const TensorBase& input2,
                                 const TensorBase& target, double margin,
                                 std::string_view reduction, CallSite at) {
  constexpr const char* kOp = "cosine_embedding_loss";
  constexpr double kEpsilon = 1e-12;
  const SiteScope scope(at);
  const LossReduction how = parse_reduction(kOp, reduction);
  const int64_t rank = target.dim();
  if (rank > 1) {
    invalid_argument(kOp, "0D or 1D target tensor expected, multi-target not supported", "target",
                     "a number, or one for each sample", shape_text(target));
  }
  for (const TensorBase* input : {&input1, &input2}) {
    if (input->dim() == rank + 1) continue;
    invalid_argument(kOp, input == &input1 ? "input1" : "input2",
                     rank == 0 ? "a vector: 0D target tensor expects 1D input tensors"
                               : "a matrix: 1D target tensor expects 2D input tensors",
                     shape_text(*input));
  }
  constexpr int64_t kLast = -1;
  const auto total = [&](const TensorBase& a, const TensorBase& b) {
    return sum(mul(a, b, at), Dims(kLast), false, {}, at);
  };
  const TensorBase square1 = add(total(input1, input1), kEpsilon, 1, at);
  const TensorBase square2 = add(total(input2, input2), kEpsilon, 1, at);
  const TensorBase lengths = sqrt(mul(square1, square2, at), at);
  const TensorBase cosine = div(total(input1, input2), lengths, at);
  const TensorBase together = only_where(eq(target, 1, at), rsub(cosine, 1, 1, at), at);
  const TensorBase beyond = clamp_min(sub(cosine, margin, 1, at), 0, at);
  const TensorBase apart = only_where(eq(target, -1, at), beyond, at);
  return reduce_losses(add(together, apart, 1, at), how, at);
}

TensorBase margin_ranking_loss(const TensorBase& input1, const TensorBase& input2,
                               const TensorBase& target, double margin, std::string_view reduction,
                               CallSite at) {
  constexpr const char* kOp = "margin_ranking_loss";
  const SiteScope scope(at);
  const LossReduction how = parse_reduction(kOp, reduction);
  check_same_rank(kOp, "input2", input2, "input1", input1.dim());
  check_same_rank(kOp, "target", target, "input1", input1.dim());
  const TensorBase rising = mul(target, sub(input1, input2, 1, at), at);
  return reduce_losses(below(rising, margin, at), how, at);
}

TensorBase soft_margin_loss(const TensorBase& input, const TensorBase& target,
                            std::string_view reduction, CallSite at) {
  const SiteScope scope(at);
  const LossReduction how = parse_reduction("soft_margin_loss", reduction);
  EAGRE_CHECK(is_floating_point(input.dtype()), kUnimplemented,
              "soft_margin_loss(): expected floating-point numbers, but argument 'input' is of ",
              input.dtype());
  return reduce_losses(neg(log_sigmoid(mul(target, input, at), at), at), how, at);
}

TensorBase multi_margin_loss(const TensorBase& input, const TensorBase& target, int64_t p,
                             double margin, const TensorBase& weight, std::string_view reduction,
                             CallSite at) {
  constexpr const char* kOp = "multi_margin_loss";
  const SiteScope scope(at);
  const LossReduction how = parse_reduction(kOp, reduction);
  if (p != 1 && p != 2) invalid_argument(kOp, "p", "1 or 2", concat(p));
  check_scores(kOp, input);
  check_class_numbers(kOp, target);
  const TensorBase scores = in_rows(input, at);
  const int64_t samples = scores.sizes()[0], classes = scores.sizes()[1];
  if (target.dim() > 1 || target.numel() != samples || (input.dim() == 2 && target.dim() != 1)) {
    invalid_argument(kOp, "target", concat("one class for each of ", samples, " samples"),
                     shape_text(target));
  }
  if (weight.defined() && (weight.dim() != 1 || weight.numel() != classes)) {
    invalid_argument(kOp, "weight", concat("a number for each of ", classes, " classes"),
                     shape_text(weight));
  }
  const TensorBase wanted = target.dim() == 0 ? unsqueeze(target, 0, at) : target;
  const TensorBase places = unsqueeze(wanted, 1, at);
  const TensorBase best = take_along(scores, places, 1, kOp, "target", {}, at);
  TensorBase gaps = below(sub(best, scores, 1, at), margin, at);
  if (p == 2) gaps = square(gaps, at);
  if (weight.defined()) {
    const TensorBase factors = rows_at(weight, wanted, {}, false, kOp, "target", at);
    gaps = mul(gaps, unsqueeze(factors, 1, at), at);
  }
  const TensorBase is_wanted = eq(class_numbers(input, classes, at), places, at);
  const TensorBase each = mean(masked_fill(gaps, is_wanted, 0, at), Dims({1}), false, {}, at);
  if (how == LossReduction::kNone && target.dim() == 0) return sum(each, {}, false, {}, at);
  return reduce_losses(each, how, at);
}

TensorBase multilabel_margin_loss(const TensorBase& input, const TensorBase& target,
                                  std::string_view reduction, CallSite at) {
  constexpr const char* kOp = "multilabel_margin_loss";
  const SiteScope scope(at);
  const LossReduction how = parse_reduction(kOp, reduction);
  check_scores(kOp, input);
  check_class_numbers(kOp, target);
  if (target.sizes() != input.sizes()) {
    invalid_argument(kOp, "target", concat("the shape of 'input', ", input.sizes()),
                     shape_text(target));
  }
  const TensorBase scores = in_rows(input, at), labels = in_rows(target, at);
  const int64_t classes = scores.sizes()[1];
  const TensorBase fits = logical_and(ge(labels, -1, at), lt(labels, classes, at), at);
  if (!all_true(fits, at)) {
    invalid_argument(kOp, "target", concat("classes from 0 to ", classes - 1, ", or -1"),
                     "another number");
  }
  // Those before the first -1; the others stand for a class that is not there.
  const TensorBase ended = cumsum(eq(labels, -1, at), 1, kInt64, at);
  const TensorBase counts = eq(ended, 0, at);
  const TensorBase chosen = masked_fill(labels, logical_not(counts, at), -1, at);
  const TensorBase numbers = class_numbers(input, classes, at);
  // (N, label, class): is this the class of that label? Then, is it that of any?
  const TensorBase matches = eq(unsqueeze(chosen, 2, at), numbers, at);
  const TensorBase is_label = ne(sum(matches, Dims({1}), true, kInt64, at), 0, at);
  const TensorBase places = masked_fill(chosen, eq(chosen, -1, at), 0, at);
  const TensorBase wanted = gather(scores, 1, places, at);
  const TensorBase rise = sub(unsqueeze(wanted, 2, at), unsqueeze(scores, 1, at), 1, at);
  const TensorBase no_pair = logical_or(is_label, logical_not(unsqueeze(counts, 2, at), at), at);
  const TensorBase gaps = masked_fill(below(rise, 1, at), no_pair, 0, at);
  const TensorBase each =
      div(sum(gaps, Dims({1, 2}), false, {}, at), static_cast<double>(classes), at);
  if (how == LossReduction::kNone && input.dim() < 2) return sum(each, {}, false, {}, at);
  return reduce_losses(each, how, at);
}

TensorBase multilabel_soft_margin_loss(const TensorBase& input, const TensorBase& target,
                                       const TensorBase& weight, std::string_view reduction,
                                       CallSite at) {
  constexpr const char* kOp = "multilabel_soft_margin_loss";
  const SiteScope scope(at);
  const LossReduction how = parse_reduction(kOp, reduction);
  if (input.dim() == 0) invalid_argument(kOp, "input", "scores of classes", "a 0-dim tensor");
  const TensorBase yes = mul(target, log_sigmoid(input, at), at);
  const TensorBase no = mul(rsub(target, 1, 1, at), log_sigmoid(neg(input, at), at), at);
  TensorBase each = neg(add(yes, no, 1, at), at);
  if (weight.defined()) each = mul(each, weight, at);
  const auto classes = static_cast<double>(input.sizes().back());
  each = div(sum(each, Dims({-1}), false, {}, at), classes, at);
  return reduce_losses(each, how, at);
}

TensorBase triplet_margin_loss(const TensorBase& anchor, const TensorBase& positive,
                               const TensorBase& negative, double margin, double p, double eps,
                               bool swap, std::string_view reduction, CallSite at) {
  constexpr const char* kOp = "triplet_margin_loss";
  const SiteScope scope(at);
  const LossReduction how = parse_reduction(kOp, reduction);
  if (!(margin > 0)) invalid_argument(kOp, "margin", "a positive number", concat(margin));
  check_same_rank(kOp, "positive", positive, "anchor", anchor.dim());
  check_same_rank(kOp, "negative", negative, "anchor", anchor.dim());
  const TensorBase near = pairwise_distance(anchor, positive, p, eps, false, at);
  TensorBase far = pairwise_distance(anchor, negative, p, eps, false, at);
  if (swap) far = minimum(far, pairwise_distance(positive, negative, p, eps, false, at), at);
  return reduce_losses(below(sub(far, near, 1, at), margin, at), how, at);
}

}  // namespace eagre::ops
