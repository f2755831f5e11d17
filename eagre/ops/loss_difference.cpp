// Losses that are functions of a difference.
#include <string>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/loss_reduction.h>
#include <eagre/core/promotion.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/abs.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/huber_each.h>
#include <eagre/ops/huber_loss.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/l1_each.h>
#include <eagre/ops/l1_loss.h>
#include <eagre/ops/loss_reduction.h>
#include <eagre/ops/mse_loss.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/smooth_l1_each.h>
#include <eagre/ops/smooth_l1_loss.h>
#include <eagre/ops/square.h>
#include <eagre/ops/sub.h>

namespace eagre::ops {

TensorBase mse_loss(const TensorBase& input, const TensorBase& target, std::string_view reduction,
                    const TensorBase& weight, CallSite at) {
  const SiteScope scope(at);
  const LossReduction how = parse_reduction("mse_loss", reduction);
  const DType dtype = result_type(input, target);
  EAGRE_CHECK(is_floating_point(dtype), kUnimplemented,
              "mse_loss(): expected floating-point tensors, but 'input' is of ", input.dtype(),
              " and 'target' of ", target.dtype());
  const auto [x, y] = expand_together("mse_loss", input, target, at);
  check_element_weights("mse_loss", x, weight);
  return reduce_weighted(square(sub(x, y, 1, at), at), weight, how, at);
}

TensorBase l1_loss(const TensorBase& input, const TensorBase& target, std::string_view reduction,
                   const TensorBase& weight, CallSite at) {
  const SiteScope scope(at);
  const LossReduction how = parse_reduction("l1_loss", reduction);
  const auto [x, y] = expand_together("l1_loss", input, target, at);
  check_element_weights("l1_loss", x, weight);
  const bool is_real = is_floating_point(result_type(x, y));
  const TensorBase each = is_real ? l1_each(x, y, at) : abs(sub(x, y, 1, at), at);
  return reduce_weighted(each, weight, how, at);
}

TensorBase smooth_l1_loss(const TensorBase& input, const TensorBase& target,
                          std::string_view reduction, double beta, CallSite at) {
  const SiteScope scope(at);
  const LossReduction how = parse_reduction("smooth_l1_loss", reduction);
  if (!(beta >= 0)) {
    invalid_argument("smooth_l1_loss", "beta", "a number that is not negative", concat(beta));
  }
  const auto [x, y] = expand_together("smooth_l1_loss", input, target, at);
  return reduce_losses(smooth_l1_each(x, y, beta, at), how, at);
}

TensorBase huber_loss(const TensorBase& input, const TensorBase& target, std::string_view reduction,
                      double delta, const TensorBase& weight, CallSite at) {
  const SiteScope scope(at);
  const LossReduction how = parse_reduction("huber_loss", reduction);
  if (!(delta > 0)) invalid_argument("huber_loss", "delta", "a positive number", concat(delta));
  const auto [x, y] = expand_together("huber_loss", input, target, at);
  check_element_weights("huber_loss", x, weight);
  TensorBase each = huber_each(x, y, delta, at);
  if (each.dtype() != input.dtype()) each = cast(each, input.dtype(), at);  // as in PyTorch
  // Here the mean is over the elements, whatever their weights.
  return reduce_losses(weight.defined() ? mul(each, weight, at) : each, how, at);
}

}  // namespace eagre::ops
