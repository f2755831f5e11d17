// Reductions that are written with others, and the gradients of reductions.
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/amax.h>
#include <eagre/autograd/ops/amin.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/chosen_grad.h>
#include <eagre/autograd/ops/cumsum.h>
#include <eagre/autograd/ops/cumsum_inplace.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/exp.h>
#include <eagre/autograd/ops/expand_reduced.h>
#include <eagre/autograd/ops/extreme_grad.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/logical_and.h>
#include <eagre/autograd/ops/logical_not.h>
#include <eagre/autograd/ops/logical_or.h>
#include <eagre/autograd/ops/logsumexp_grad.h>
#include <eagre/autograd/ops/masked_fill.h>
#include <eagre/autograd/ops/max_all.h>
#include <eagre/autograd/ops/max_other.h>
#include <eagre/autograd/ops/maximum.h>
#include <eagre/autograd/ops/mean.h>
#include <eagre/autograd/ops/mean_grad.h>
#include <eagre/autograd/ops/min_all.h>
#include <eagre/autograd/ops/min_other.h>
#include <eagre/autograd/ops/minimum.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/ne.h>
#include <eagre/autograd/ops/prod.h>
#include <eagre/autograd/ops/prod_grad.h>
#include <eagre/autograd/ops/put_along.h>
#include <eagre/autograd/ops/spread_others.h>
#include <eagre/autograd/ops/std.h>
#include <eagre/autograd/ops/std_dim_unbiased.h>
#include <eagre/autograd/ops/std_grad.h>
#include <eagre/autograd/ops/std_unbiased.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/var.h>
#include <eagre/autograd/ops/var_dim_unbiased.h>
#include <eagre/autograd/ops/var_grad.h>
#include <eagre/autograd/ops/var_unbiased.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/batching.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::ops {
namespace {

// How many elements of a tensor of shape `size` make one result.
int64_t reduced_count(Dims size, const OptionalDims& dim) {
  const auto rank = static_cast<int64_t>(size.size());
  int64_t count = 1;
  if (dim.values().empty()) {
    for (int64_t each : size) count *= each;
    return count;
  }
  for (int64_t d : dim.values()) {
    const int64_t at = wrap_dim("reduction", "dim", d, rank);
    count *= rank == 0 ? 1 : size[static_cast<size_t>(at)];
  }
  return count;
}

void check_not_empty(const char* op, const TensorBase& input) {
  if (input.numel() != 0) [[likely]]
    return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "input", "a tensor with at least one element",
                        concat("shape ", input.sizes()), "nothing has no extreme value"});
}

// Of a batch, in all samples.
int64_t count_zeros(const TensorBase& tensor, CallSite at) {
  if (tensor.device().is_meta()) return 0;
  const autograd::SeenLevels none(nullptr);
  const TensorBase count = sum(eq(autograd::all_samples(tensor), 0, at), {}, false, {}, at);
  return *dispatch::on_device(count, Device()).data_ptr<int64_t>();
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

void cumsum_inplace_(const TensorBase& input, int64_t dim, std::optional<DType> dtype,
                     CallSite at) {
  const TensorBase sums = cumsum(input, dim, dtype.value_or(input.dtype()), at);
  autograd::assign_result("cumsum_", input, sums, at);
}

TensorBase var_unbiased(const TensorBase& input, bool unbiased, CallSite at) {
  return var(input, {}, unbiased ? 1 : 0, false, at);
}

TensorBase var_dim_unbiased(const TensorBase& input, const OptionalDims& dim, bool unbiased,
                            bool keepdim, CallSite at) {
  return var(input, dim, unbiased ? 1 : 0, keepdim, at);
}

TensorBase std_unbiased(const TensorBase& input, bool unbiased, CallSite at) {
  return ops::std(input, {}, unbiased ? 1 : 0, false, at);
}

TensorBase std_dim_unbiased(const TensorBase& input, const OptionalDims& dim, bool unbiased,
                            bool keepdim, CallSite at) {
  return ops::std(input, dim, unbiased ? 1 : 0, keepdim, at);
}

TensorBase mean_grad(const TensorBase& g, Dims size, const OptionalDims& dim, bool keepdim,
                     CallSite at) {
  const auto count = static_cast<double>(reduced_count(size, dim));
  return expand_reduced(div(g, count, at), size, dim, keepdim, at);
}

TensorBase prod_grad(const TensorBase& g, const TensorBase& input, const TensorBase& result,
                     const OptionalDims& dim, bool keepdim, CallSite at) {
  const int64_t zeros = count_zeros(input, at);
  if (zeros == 0) {
    return div(expand_reduced(mul(g, result, at), input.sizes(), dim, keepdim, at), input, at);
  }
  // One product with several zeros: as in PyTorch even infinite elements do not change that.
  const bool all_in_one = dim.values().empty();
  if (zeros > 1 && all_in_one && !autograd::is_traced(g, input)) {
    return full(input.sizes(), 0, TensorOptions(g.dtype()).device(g.device()), at);
  }
  const TensorBase others = spread_others(input, dim, 1, at);
  DimVector trailing;
  for (int64_t d = input.dim(); d < others.dim(); ++d) trailing.push_back(d);
  const TensorBase products = prod(others, Dims(trailing), false, {}, at);
  return mul(expand_reduced(g, input.sizes(), dim, keepdim, at), products, at);
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

TensorBase chosen_grad(const TensorBase& g, const TensorBase& indices, Dims size, int64_t dim,
                       bool keepdim, CallSite at) {
  if (keepdim || size.empty()) return put_along(g, indices, size, dim, {}, at);
  const int64_t place = wrap_dim("chosen_grad", "dim", dim, static_cast<int64_t>(size.size()));
  return put_along(unsqueeze(g, place, at), unsqueeze(indices, place, at), size, dim, {}, at);
}

TensorBase var_grad(const TensorBase& g, const TensorBase& input, const OptionalDims& dim,
                    std::optional<double> correction, bool keepdim, CallSite at) {
  const double count =
      static_cast<double>(reduced_count(input.sizes(), dim)) - correction.value_or(1);
  const TensorBase scaled = mul(g, 2 / (count > 0 ? count : 0), at);
  const TensorBase distance = sub(input, mean(input, dim, true, {}, at), 1, at);
  return mul(expand_reduced(scaled, input.sizes(), dim, keepdim, at), distance, at);
}

TensorBase std_grad(const TensorBase& g, const TensorBase& input, const TensorBase& result,
                    const OptionalDims& dim, std::optional<double> correction, bool keepdim,
                    CallSite at) {
  // Where the deviation is 0, divide by 1 and multiply by 0.
  const TensorBase is_zero = cast(eq(result, 0, at), g.dtype(), at);
  const TensorBase is_positive = cast(ne(result, 0, at), g.dtype(), at);
  const TensorBase divisor = add(mul(result, 2, at), is_zero, 1, at);
  const TensorBase for_var = mul(div(g, divisor, at), is_positive, at);
  return var_grad(for_var, input, dim, correction, keepdim, at);
}

TensorBase logsumexp_grad(const TensorBase& g, const TensorBase& input, const TensorBase& result,
                          const OptionalDims& dim, bool keepdim, CallSite at) {
  const Dims size = input.sizes();
  const TensorBase part = sub(input, expand_reduced(result, size, dim, keepdim, at), 1, at);
  return mul(expand_reduced(g, size, dim, keepdim, at), exp(part, at), at);
}

}  // namespace eagre::ops
