// Largest and smallest elements, and the gradients that they share.
#include <array>
#include <cstdint>
#include <optional>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/pair_node.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/amax.h>
#include <eagre/ops/amin.h>
#include <eagre/ops/aminmax.h>
#include <eagre/ops/check_ordered.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/expand_reduced.h>
#include <eagre/ops/extreme_grad.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/logical_not.h>
#include <eagre/ops/logical_or.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/max_all.h>
#include <eagre/ops/max_other.h>
#include <eagre/ops/maximum.h>
#include <eagre/ops/min_all.h>
#include <eagre/ops/min_other.h>
#include <eagre/ops/minimum.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/sum.h>

namespace eagre::ops {
namespace {

void check_not_empty(const char* op, const TensorBase& input) {
  if (input.numel() != 0) [[likely]]
    return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "input", "a tensor with at least one element",
                        concat("shape ", input.sizes()), "nothing has no extreme value"});
}

}  // namespace

TensorBase max_all(const TensorBase& input, CallSite at) {
  check_not_empty("max", input);
  return amax(input, {}, false, at);
}

TensorBase min_all(const TensorBase& input, CallSite at) {
  check_not_empty("min", input);
  return amin(input, {}, false, at);
}

TensorBase max_other(const TensorBase& input, const TensorBase& other, CallSite at) {
  return maximum(input, other, at);
}

TensorBase min_other(const TensorBase& input, const TensorBase& other, CallSite at) {
  return minimum(input, other, at);
}

std::array<TensorBase, 2> aminmax(const TensorBase& input, std::optional<int64_t> dim, bool keepdim,
                                  CallSite at) {
  const SiteScope scope(at);
  check_ordered("aminmax", input);
  EAGRE_CHECK(dim || input.numel() != 0, kInvalidArgument,
              "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
              "identity: argument 'input' has shape ",
              input.sizes());
  const auto both = [&]() -> std::array<TensorBase, 2> {
    const OptionalDims dims = dim ? OptionalDims(*dim) : OptionalDims();
    return {amin(input, dims, keepdim, at), amax(input, dims, keepdim, at)};
  };
  if (!autograd::should_record(input) || autograd::are_transformed(input)) return both();
  std::array<TensorBase, 2> results;
  {
    const NoGradGuard no_grad;
    results = both();
  }
  const autograd::PairGradient gradient = [dim, keepdim](const TensorBase& g, const TensorBase& x,
                                                         const TensorBase& result, CallSite from) {
    const OptionalDims dims = dim ? OptionalDims(*dim) : OptionalDims();
    return extreme_grad(g, x, result, dims, keepdim, from);
  };
  autograd::record_pair("AminmaxBackward0", input, results, {{{gradient, true}, {gradient, true}}},
                        at);
  return results;
}

TensorBase extreme_grad(const TensorBase& g, const TensorBase& input, const TensorBase& result,
                        const OptionalDims& dim, bool keepdim, CallSite at) {
  const Dims size = input.sizes();
  const TensorBase extreme = expand_reduced(result, size, dim, keepdim, at);
  // A NaN is the extreme of everything, and equals nothing.
  const TensorBase both_nan = logical_and(ne(input, input, at), ne(extreme, extreme, at), at);
  const TensorBase is_extreme = logical_or(eq(input, extreme, at), both_nan, at);
  const TensorBase count = sum(is_extreme, dim, keepdim, g.dtype(), at);
  const TensorBase share = expand_reduced(div(g, count, at), size, dim, keepdim, at);
  return masked_fill(share, logical_not(is_extreme, at), 0, at);
}

}  // namespace eagre::ops
