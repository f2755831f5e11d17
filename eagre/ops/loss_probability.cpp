// Losses of probabilities and distributions.
#include <cstddef>
#include <string>
#include <string_view>

#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/loss_reduction.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/bce_each.h>
#include <eagre/ops/bce_logits_each.h>
#include <eagre/ops/binary_cross_entropy.h>
#include <eagre/ops/binary_cross_entropy_with_logits.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/div.h>
#include <eagre/ops/exp.h>
#include <eagre/ops/full_like.h>
#include <eagre/ops/gaussian_nll_loss.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/inside_unit.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/kl_div.h>
#include <eagre/ops/kl_div_each.h>
#include <eagre/ops/kl_div_of_logs.h>
#include <eagre/ops/le.h>
#include <eagre/ops/log.h>
#include <eagre/ops/log_sigmoid.h>
#include <eagre/ops/logical_not.h>
#include <eagre/ops/loss_reduction.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/poisson_nll_loss.h>
#include <eagre/ops/rsub.h>
#include <eagre/ops/square.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

// What is compared and its weights, whose shapes must not make the result larger.
void check_alike(const char* op, const TensorBase& input, const TensorBase& target,
                 const TensorBase& weight, const char* name) {
  if (input.sizes() != target.sizes()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "target", concat("the shape of 'input', ", input.sizes()),
                          concat(shape_text(target), ". Using a target size (", target.sizes(),
                                 ") that is different to the input size (", input.sizes(),
                                 ") would broadcast them")});
  }
  if (weight.defined() && !is_expandable_to(weight.sizes(), input.sizes())) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, name, concat("a shape that broadcasts to ", input.sizes()),
                          shape_text(weight)});
  }
}

void check_probabilities(const char* name, const TensorBase& tensor, CallSite at) {
  if (all_true(inside_unit(tensor, at), at)) [[likely]]
    return;
  raise(ErrorKind::kInvalidArgument,
        concat("binary_cross_entropy(): all elements of ", name,
               " should be between 0 and 1. Hint: binary_cross_entropy_with_logits() takes any "
               "input"));
}

TensorBase weighted(const TensorBase& each, const TensorBase& weight, CallSite at) {
  return weight.defined() ? mul(each, weight, at) : each;
}

// One variance for each element, for each row (with or without a last dimension of 1), or for each
// of what differs in another dimension alone.
TensorBase fitting_variance(const TensorBase& input, const TensorBase& variance, CallSite at) {
  const Dims wanted = input.sizes(), given = variance.sizes();
  const size_t rank = wanted.size();
  if (given == wanted) return variance;
  size_t same = 0;
  while (same < rank && same < given.size() && given[same] == wanted[same]) ++same;
  if (rank != 0 && same == rank - 1 && given.size() == same) return unsqueeze(variance, -1, at);
  size_t others = 0;
  for (size_t i = same + 1; i < rank && i < given.size(); ++i) others += given[i] != wanted[i];
  if (given.size() != rank || given[same] != 1 || others != 0) {
    invalid_argument("gaussian_nll_loss", "var is of incorrect size", "var",
                     concat("a variance for each element or row of 'input' of shape ", wanted),
                     shape_text(variance));
  }
  return variance;
}

}  // namespace

TensorBase kl_div(const TensorBase& input, const TensorBase& target, std::string_view reduction,
                  bool log_target, CallSite at) {
  const SiteScope scope(at);
  const bool by_batch = reduction == "batchmean";
  const LossReduction how = by_batch ? LossReduction::kSum : parse_reduction("kl_div", reduction);
  for (const TensorBase* tensor : {&input, &target}) {
    if (is_floating_point(tensor->dtype())) continue;
    const char* kind = is_complex(tensor->dtype()) ? "Complex" : "Integral";
    raise(ErrorKind::kInvalidArgument,
          concat("kl_div(): ", kind, " inputs not supported, but argument '",
                 tensor == &input ? "input" : "target", "' is of ", tensor->dtype()));
  }
  const TensorBase each =
      log_target ? kl_div_of_logs(input, target, at) : kl_div_each(input, target, at);
  TensorBase loss = reduce_losses(each, how, at);
  if (!by_batch || input.dim() == 0) return loss;
  return div(loss, input.sizes()[0], at);
}

TensorBase binary_cross_entropy(const TensorBase& input, const TensorBase& target,
                                const TensorBase& weight, std::string_view reduction, CallSite at) {
  constexpr const char* kOp = "binary_cross_entropy";
  const SiteScope scope(at);
  const LossReduction how = parse_reduction(kOp, reduction);
  check_alike(kOp, input, target, weight, "weight");
  EAGRE_CHECK(is_floating_point(input.dtype()), kUnimplemented, kOp,
              "(): expected floating-point numbers, but argument 'input' is of ", input.dtype());
  if (target.dtype() != input.dtype()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{kOp, "target", concat("the dtype of 'input', ", input.dtype()),
                          concat(target.dtype())});
  }
  check_probabilities("input", input, at);
  check_probabilities("target", target, at);
  return reduce_losses(weighted(bce_each(input, target, at), weight, at), how, at);
}

// With pos_weight p: p * t * log(1 + e^-x) + (1 - t) * (x + log(1 + e^-x)).
TensorBase binary_cross_entropy_with_logits(const TensorBase& input, const TensorBase& target,
                                            const TensorBase& weight, std::string_view reduction,
                                            const TensorBase& pos_weight, CallSite at) {
  constexpr const char* kOp = "binary_cross_entropy_with_logits";
  const SiteScope scope(at);
  const LossReduction how = parse_reduction(kOp, reduction);
  check_alike(kOp, input, target, weight, "weight");
  check_alike(kOp, input, target, pos_weight, "pos_weight");
  EAGRE_CHECK(is_floating_point(input.dtype()), kUnimplemented, kOp,
              "(): expected floating-point numbers, but argument 'input' is of ", input.dtype());
  TensorBase each;
  if (pos_weight.defined()) {
    const TensorBase rest = rsub(target, 1, 1, at);
    const TensorBase factor = add(mul(pos_weight, target, at), rest, 1, at);
    each = sub(mul(rest, input, at), mul(factor, log_sigmoid(input, at), at), 1, at);
  } else {
    each = bce_logits_each(input, target, at);
  }
  return reduce_losses(weighted(each, weight, at), how, at);
}

TensorBase poisson_nll_loss(const TensorBase& input, const TensorBase& target, bool log_input,
                            bool full, double eps, std::string_view reduction, CallSite at) {
  const SiteScope scope(at);
  const LossReduction how = parse_reduction("poisson_nll_loss", reduction);
  const TensorBase rate = log_input ? exp(input, at) : input;
  const TensorBase logs = log_input ? input : log(add(input, eps, 1, at), at);
  TensorBase each = sub(rate, mul(target, logs, at), 1, at);
  if (full) {
    constexpr double kTwoPi = 6.283185307179586;
    const TensorBase tail = mul(log(mul(target, kTwoPi, at), at), 0.5, at);
    const TensorBase factorial =
        add(sub(mul(target, log(target, at), at), target, 1, at), tail, 1, at);
    each = add(each, masked_fill(factorial, le(target, 1, at), 0, at), 1, at);
  }
  return reduce_losses(each, how, at);
}

TensorBase gaussian_nll_loss(const TensorBase& input, const TensorBase& target, const Operand& var,
                             bool full, double eps, std::string_view reduction, CallSite at) {
  constexpr const char* kOp = "gaussian_nll_loss";
  const SiteScope scope(at);
  const LossReduction how = parse_reduction(kOp, reduction);
  TensorBase variance = var.is_tensor()
                            ? var.tensor()
                            : full_like(input, var.scalar(), MemoryFormat::kPreserve, {}, at);
  if (var.is_tensor()) variance = fitting_variance(input, variance, at);
  if (!all_true(logical_not(lt(variance, 0, at), at), at)) {
    invalid_argument(kOp, "var has negative entry/entries", "var",
                     var.is_tensor() ? "variances from 0 on" : "a variance from 0 on",
                     var.is_tensor() ? std::string("a negative one") : text_of(var.scalar()));
  }
  // At least eps; the gradient goes through as if nothing had been raised.
  const TensorBase values = autograd::without_history(variance);
  const TensorBase raised = sub(clamp_min(values, eps, at), values, 1, at);
  const TensorBase spread = add(variance, raised, 1, at);
  const TensorBase squares = div(square(sub(input, target, 1, at), at), spread, at);
  TensorBase each = mul(add(log(spread, at), squares, 1, at), 0.5, at);
  if (full) each = add(each, 0.9189385332046727, 1, at);  // log(2 pi) / 2
  return reduce_losses(each, how, at);
}

}  // namespace eagre::ops
