// Variances, deviations, covariances and counts, and the gradients.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/pair_node.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/saved_dims.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar_type_name.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/amax.h>
#include <eagre/ops/bincount.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clamp.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/conj.h>
#include <eagre/ops/corrcoef.h>
#include <eagre/ops/cov.h>
#include <eagre/ops/diagonal.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/expand_reduced.h>
#include <eagre/ops/full.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mean.h>
#include <eagre/ops/mean_grad.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/real.h>
#include <eagre/ops/reduced_count.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/sqrt.h>
#include <eagre/ops/squeeze_all.h>
#include <eagre/ops/std.h>
#include <eagre/ops/std_dim_unbiased.h>
#include <eagre/ops/std_grad.h>
#include <eagre/ops/std_mean.h>
#include <eagre/ops/std_mean_dim_unbiased.h>
#include <eagre/ops/std_mean_unbiased.h>
#include <eagre/ops/std_unbiased.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/t.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/var.h>
#include <eagre/ops/var_dim_unbiased.h>
#include <eagre/ops/var_grad.h>
#include <eagre/ops/var_mean.h>
#include <eagre/ops/var_mean_dim_unbiased.h>
#include <eagre/ops/var_mean_unbiased.h>
#include <eagre/ops/var_unbiased.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {

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

using Pair = std::array<TensorBase, 2>;

namespace {

SavedDims own_dims(const OptionalDims& dim) {
  SavedDims own;
  own = dim;
  return own;
}

// The spread and the mean as results of one node, where a gradient is recorded and nothing else.
// `spread` computes the one, `rule` its gradient.
template <class Spread>
Pair with_mean(const char* name, const TensorBase& input, const OptionalDims& dim, bool keepdim,
               const Spread& spread, autograd::PairRule rule, CallSite at) {
  const auto both = [&] { return Pair{spread(), mean(input, dim, keepdim, {}, at)}; };
  if (!autograd::should_record(input) || autograd::are_transformed(input)) return both();
  Pair results;
  {
    const NoGradGuard no_grad;
    results = both();
  }
  const autograd::PairGradient of_mean = [own = own_dims(dim), keepdim](
                                             const TensorBase& g, const TensorBase& x,
                                             const TensorBase&, CallSite from) {
    return mean_grad(g, x.sizes(), own.get(), keepdim, from);
  };
  autograd::record_pair(name, input, results, {std::move(rule), {of_mean}}, at);
  return results;
}

}  // namespace

Pair var_mean(const TensorBase& input, const OptionalDims& dim, std::optional<double> correction,
              bool keepdim, CallSite at) {
  return with_mean(
      "VarMeanBackward0", input, dim, keepdim,
      [&] { return var(input, dim, correction, keepdim, at); },
      {[own = own_dims(dim), correction, keepdim](const TensorBase& g, const TensorBase& x,
                                                  const TensorBase&, CallSite from) {
        return var_grad(g, x, own.get(), correction, keepdim, from);
      }},
      at);
}

Pair var_mean_unbiased(const TensorBase& input, bool unbiased, CallSite at) {
  return var_mean(input, {}, unbiased ? 1 : 0, false, at);
}

Pair var_mean_dim_unbiased(const TensorBase& input, const OptionalDims& dim, bool unbiased,
                           bool keepdim, CallSite at) {
  return var_mean(input, dim, unbiased ? 1 : 0, keepdim, at);
}

Pair std_mean(const TensorBase& input, const OptionalDims& dim, std::optional<double> correction,
              bool keepdim, CallSite at) {
  return with_mean(
      "StdMeanBackward0", input, dim, keepdim,
      [&] { return ops::std(input, dim, correction, keepdim, at); },
      {[own = own_dims(dim), correction, keepdim](const TensorBase& g, const TensorBase& x,
                                                  const TensorBase& result, CallSite from) {
         return std_grad(g, x, result, own.get(), correction, keepdim, from);
       },
       true},
      at);
}

Pair std_mean_unbiased(const TensorBase& input, bool unbiased, CallSite at) {
  return std_mean(input, {}, unbiased ? 1 : 0, false, at);
}

Pair std_mean_dim_unbiased(const TensorBase& input, const OptionalDims& dim, bool unbiased,
                           bool keepdim, CallSite at) {
  return std_mean(input, dim, unbiased ? 1 : 0, keepdim, at);
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

namespace {

void check_weights(const char* argument, const TensorBase& weights, int64_t count, bool integral,
                   CallSite at) {
  const auto problem = [&](std::string expected, std::string got) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"cov", argument, std::move(expected), std::move(got)});
  };
  const DType dtype = weights.dtype();
  const bool is_integral = !is_differentiable(dtype) && dtype != kBool;
  if (weights.dim() > 1) problem("one or fewer dimensions", concat("shape ", weights.sizes()));
  if (integral && !is_integral) problem("an integral dtype", concat(dtype));
  if (!integral && !is_floating_point(dtype)) problem("a floating point dtype", concat(dtype));
  if (weights.numel() != count) {
    problem(concat("one weight for each of the ", count, " observations"),
            concat(weights.numel(), " weights"));
  }
  if (!all_true(ge(weights, 0, at), at)) problem("weights that are not negative", "a negative one");
}

}  // namespace

TensorBase cov(const TensorBase& input, int64_t correction, const TensorBase& fweights,
               const TensorBase& aweights, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() <= 2, kInvalidArgument,
              "cov(): argument 'input' must have two or fewer dimensions, but got shape ",
              input.sizes());
  EAGRE_CHECK(input.dtype() != kBool, kInvalidArgument, "cov(): bool dtype is not supported");
  const TensorBase x = input.dim() < 2 ? reshape(input, {1, -1}, at) : input;
  const int64_t count = x.sizes()[1];
  if (fweights.defined()) check_weights("fweights", fweights, count, true, at);
  if (aweights.defined()) check_weights("aweights", aweights, count, false, at);
  const TensorBase& first = fweights.defined() ? fweights : aweights;
  if (!first.defined()) {
    const TensorBase total = sum(x, 1, true, {}, at);
    const TensorBase centered = sub(x, div(total, count, at), 1, at);
    const TensorBase product = matmul(centered, t(conj(centered, at), at), at);
    return squeeze_all(div(product, std::max<int64_t>(count - correction, 0), at), at);
  }
  const bool both = fweights.defined() && aweights.defined();
  const TensorBase weights = both ? mul(fweights, aweights, at) : first;
  const TensorBase total = sum(weights, {}, false, {}, at);
  const TensorBase mean = div(sum(mul(x, weights, at), 1, true, {}, at), total, at);
  const TensorBase centered = sub(x, mean, 1, at);
  const TensorBase weighted = mul(centered, weights, at);
  const TensorBase product = matmul(weighted, t(conj(centered, at), at), at);
  TensorBase scale = sub(total, correction, 1, at);
  if (aweights.defined() && correction != 0) {
    const TensorBase squares = sum(mul(weights, aweights, at), {}, false, {}, at);
    scale = sub(total, mul(div(squares, total, at), correction, at), 1, at);
  }
  return squeeze_all(div(product, clamp_min(scale, 0, at), at), at);
}

TensorBase corrcoef(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() <= 2, kInvalidArgument,
              "corrcoef(): argument 'input' must have two or fewer dimensions, but got shape ",
              input.sizes());
  const TensorBase c = cov(input, 1, {}, {}, at);
  if (c.dim() == 0) return div(c, c, at);
  const TensorBase variances = diagonal(c, 0, 0, 1, at);
  const TensorBase deviations = sqrt(real(variances, at), at);
  const TensorBase rows = div(c, unsqueeze(deviations, 1, at), at);
  const TensorBase scaled = div(rows, unsqueeze(deviations, 0, at), at);
  return is_complex(c.dtype()) ? scaled : clamp(scaled, -1, 1, at);
}

namespace {

// Of a batch, in all samples.
int64_t greatest(const TensorBase& input, CallSite at) {
  const autograd::SeenLevels none(nullptr);
  return as_integer(amax(autograd::all_samples(input), {}, false, at), at);
}

}  // namespace

TensorBase bincount(const TensorBase& input, const TensorBase& weights, int64_t minlength,
                    CallSite at) {
  const SiteScope scope(at);
  const char* const op = "bincount";
  EAGRE_CHECK(!is_differentiable(input.get(op, "input").key.dtype), kUnimplemented,
              "bincount(): not implemented for '", scalar_type_name(input.dtype()),
              "': argument 'input' must be of integers, but got ", input.dtype());
  const bool is_counted = input.dim() == 1 && !is_differentiable(input.dtype());
  EAGRE_CHECK(
      is_counted && (input.numel() == 0 || all_true(ge(input, 0, at), at)), kInvalidArgument,
      "bincount(): bincount only supports 1-d non-negative integral inputs, but argument 'input' "
      "has shape ",
      input.sizes(), " of ", input.dtype());
  if (minlength < 0) {
    raise(ErrorKind::kInvalidArgument,
          concat("bincount(): minlength should be >= 0, but argument 'minlength' is ", minlength));
  }
  if (weights.defined() && weights.sizes() != input.sizes()) {
    raise(ErrorKind::kInvalidArgument,
          concat("bincount(): weights should be 1-d and have the same length as input: argument "
                 "'weights' has shape ",
                 weights.sizes(), ", and 'input' ", input.sizes()));
  }
  int64_t size = minlength;
  if (input.numel() != 0) size = std::max(size, greatest(input, at) + 1);
  const TensorBase places = cast(input, kInt64, at);
  TensorBase each;
  if (!weights.defined()) {
    each = full(input.sizes(), 1, TensorOptions(kInt64).device(input.device()), at);
  } else {
    each = weights.dtype() == kFloat32 ? weights : cast(weights, kFloat64, at);
  }
  const TensorOptions options = TensorOptions(each.dtype()).device(input.device());
  return scatter_add(zeros({size}, options, at), 0, places, each, at);
}

}  // namespace eagre::ops
