// Distributions that follow from uniform and normal numbers, and the checks of binomial.
#include <cmath>
#include <numbers>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/add.h>
#include <eagre/ops/binomial.h>
#include <eagre/ops/binomial_draws.h>
#include <eagre/ops/broadcast_tensors.h>
#include <eagre/ops/cauchy.h>
#include <eagre/ops/ceil.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/div.h>
#include <eagre/ops/exp.h>
#include <eagre/ops/geometric.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/log.h>
#include <eagre/ops/log_normal.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/rand.h>
#include <eagre/ops/randn.h>
#include <eagre/ops/rsub.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/tan.h>

namespace eagre::ops {
namespace {

TensorOptions doubles(const TensorBase& input) {
  return TensorOptions(kFloat64).device(input.device());
}

void check_floating(const char* op, const TensorBase& input) {
  EAGRE_CHECK(is_floating_point(input.dtype()), kInvalidArgument, op,
              "(): argument 'input' must be floating-point, but got ", input.dtype());
}

// Numbers in (0, 1].
TensorBase positive_noise(const TensorBase& input, Generator* generator, CallSite at) {
  return rsub(rand(input.sizes(), generator, doubles(input), at), 1, 1, at);
}

}  // namespace

void geometric_(const TensorBase& input, double p, Generator* generator, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!is_complex(input.dtype()) && input.dtype() != kBool, kUnimplemented,
              "geometric_(): argument 'input' must be of whole or floating-point numbers, but got ",
              input.dtype());
  EAGRE_CHECK(p > 0 && p < 1, kInvalidArgument,
              "geometric_(): expects p to be in (0, 1), but argument 'p' is ", p);
  const TensorBase waits = div(log(positive_noise(input, generator, at), at), std::log1p(-p), at);
  copy_(input, clamp_min(ceil(waits, at), 1, at), false, at);
}

void log_normal_(const TensorBase& input, double mean, double std, Generator* generator,
                 CallSite at) {
  const SiteScope scope(at);
  check_floating("log_normal_", input);
  EAGRE_CHECK(std > 0, kInvalidArgument, "log_normal_(): expects std > 0.0, but argument 'std' is ",
              std);
  const TensorBase noise = randn(input.sizes(), generator, doubles(input), at);
  copy_(input, exp(add(mul(noise, std, at), mean, 1, at), at), false, at);
}

void cauchy_(const TensorBase& input, double median, double sigma, Generator* generator,
             CallSite at) {
  const SiteScope scope(at);
  check_floating("cauchy_", input);
  EAGRE_CHECK(sigma > 0, kInvalidArgument,
              "cauchy_(): expects sigma > 0.0, but argument 'sigma' is ", sigma);
  const TensorBase noise = rand(input.sizes(), generator, doubles(input), at);
  const TensorBase angle = mul(sub(noise, 0.5, 1, at), std::numbers::pi, at);
  copy_(input, add(mul(tan(angle, at), sigma, at), median, 1, at), false, at);
}

TensorBase binomial(const TensorBase& count, const TensorBase& prob, Generator* generator,
                    CallSite at) {
  const SiteScope scope(at);
  const char* const op = "binomial";
  if (!is_floating_point(count.get(op, "count").key.dtype))
    invalid_argument(op, "count", "floating-point", concat(count.dtype()));
  if (!is_floating_point(prob.get(op, "prob").key.dtype))
    invalid_argument(op, "prob", "floating-point", concat(prob.dtype()));
  EAGRE_CHECK(count.dtype() == prob.dtype(), kInvalidArgument, op,
              "(): argument 'prob' must be of the dtype of 'count', ", count.dtype(), ", but got ",
              prob.dtype());
  const TensorVector both = broadcast_tensors({count, prob}, at);
  return binomial_draws(both[0], both[1], generator, at);
}

}  // namespace eagre::ops
