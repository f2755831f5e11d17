// Reductions of losses, and weights of their elements.
#include <eagre/ops/loss_reduction.h>

#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/warn.h>
#include <eagre/core/loss_reduction.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/div.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/mean.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/sum.h>

namespace eagre::ops {

LossReduction parse_reduction(const char* op, std::string_view text) {
  if (text == "mean") return LossReduction::kMean;
  if (text == "sum") return LossReduction::kSum;
  if (text == "none") return LossReduction::kNone;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "reduction", "'none', 'mean' or 'sum'", concat("'", text, "'")});
}

TensorBase reduce_losses(const TensorBase& each, LossReduction how, CallSite at) {
  if (how == LossReduction::kNone) return each;
  return how == LossReduction::kSum ? sum(each, {}, false, {}, at) : mean(each, {}, false, {}, at);
}

Compared expand_together(const char* op, const TensorBase& input, const TensorBase& target,
                         CallSite at) {
  if (input.sizes() == target.sizes()) [[likely]]
    return {input, target};
  const DimVector sizes = broadcast_shapes(op, input.sizes(), target.sizes());
  warn(concat(op, "(): Using a target size (", target.sizes(),
              ") that is different to the input size (", input.sizes(),
              "). This will likely lead to incorrect results due to broadcasting. Please "
              "ensure they have the same size. Hint: by squeeze() or view()"));
  return {expand(input, sizes, at), expand(target, sizes, at)};
}

void check_element_weights(const char* op, const TensorBase& input, const TensorBase& weight) {
  if (!weight.defined() || weight.sizes() == input.sizes()) return;
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): Weights and input must have the same size: argument 'weight' has shape ",
               weight.sizes(), ", 'input' ", input.sizes()));
}

TensorBase reduce_weighted(const TensorBase& each, const TensorBase& weight, LossReduction how,
                           CallSite at) {
  if (!weight.defined()) return reduce_losses(each, how, at);
  const TensorBase weighted = mul(each, weight, at);
  if (how != LossReduction::kMean) return reduce_losses(weighted, how, at);
  return div(sum(weighted, {}, false, {}, at), sum(weight, {}, false, {}, at), at);
}

}  // namespace eagre::ops
