// Activations with random numbers.
#include <cmath>
#include <cstdint>
#include <utility>

#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/argmax.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/div.h>
#include <eagre/ops/gumbel_softmax.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/leaky_relu.h>
#include <eagre/ops/log.h>
#include <eagre/ops/log1p.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/prelu_kernel.h>
#include <eagre/ops/rand_like.h>
#include <eagre/ops/rrelu.h>
#include <eagre/ops/scatter_value.h>
#include <eagre/ops/softmax.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/uniform.h>
#include <eagre/ops/zeros_like.h>

namespace eagre::ops {
namespace {

// From 0 to 1, in double: halves have too few numbers close to 0.
TensorBase noise_like(const TensorBase& tensor, CallSite at) {
  return rand_like(tensor, MemoryFormat::kPreserve, nullptr, TensorOptions(kFloat64), at);
}

void check_floating(const char* op, const TensorBase& input) {
  EAGRE_CHECK(is_floating_point(input.dtype()), kUnimplemented, op,
              "(): expected floating-point numbers, but got ", input.dtype());
}

}  // namespace

TensorBase gumbel_softmax(const TensorBase& logits, double tau, bool hard, double eps, int64_t dim,
                          CallSite at) {
  const SiteScope scope(at);
  check_floating("gumbel_softmax", logits);
  wrap_dim("gumbel_softmax", "dim", dim, logits.dim());
  if (eps != 1e-10) warn("gumbel_softmax(): argument 'eps' has no effect any more");
  // The logarithm of a waiting time, which is 0 once in 2^53 times.
  const TensorBase waits = neg(log1p(neg(noise_like(logits, at), at), at), at);
  const TensorBase noise = neg(log(clamp_min(waits, 1e-300, at), at), at);
  const TensorBase moved = add(logits, cast(noise, logits.dtype(), at), 1, at);
  TensorBase soft = softmax(div(moved, tau, at), dim, {}, at);
  if (!hard || logits.numel() == 0) return soft;
  const TensorBase values = autograd::without_history(soft);
  const TensorBase none = zeros_like(values, MemoryFormat::kPreserve, {}, at);
  const TensorBase chosen = scatter_value(none, dim, argmax(values, dim, true, at), 1, at);
  // The value of `chosen`, with the gradient of `soft`.
  return add(sub(chosen, values, 1, at), soft, 1, at);
}

TensorBase rrelu(const TensorBase& input, double lower, double upper, bool training, CallSite at) {
  const SiteScope scope(at);
  check_floating("rrelu", input);
  for (const auto& [name, bound] : {std::pair{"lower", lower}, std::pair{"upper", upper}}) {
    if (std::isfinite(bound)) continue;
    invalid_argument("rrelu", name, "a finite number",
                     concat(bound, " (rrelu: ", name, " bound must be finite, got ", bound, ")"));
  }
  if (lower > upper) {
    invalid_argument(
        "rrelu", "lower", concat("at most 'upper', which is ", upper),
        concat(lower, ". Lower bound should be less than or equal to the upper bound"));
  }
  if (!training) return leaky_relu(input, lower / 2 + upper / 2, at);
  const TensorBase slopes = uniform(autograd::without_history(input), lower, upper, nullptr, at);
  return prelu_kernel(input, slopes, at);
}

}  // namespace eagre::ops
