// Sums, means and products that are written with others, and the gradients of reductions.
#include <cstddef>
#include <cstdint>
#include <optional>

#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/count_nonzero.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/exp.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/expand_reduced.h>
#include <eagre/ops/full.h>
#include <eagre/ops/isnan.h>
#include <eagre/ops/leave_one_out.h>
#include <eagre/ops/logical_not.h>
#include <eagre/ops/logsumexp_grad.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/mean_grad.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/nanmean.h>
#include <eagre/ops/nansum.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/prod.h>
#include <eagre/ops/prod_grad.h>
#include <eagre/ops/reduced_count.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/sum_to_size.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {

TensorBase nansum(const TensorBase& input, const OptionalDims& dim, bool keepdim,
                  std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!is_complex(input.get("nansum", "input").key.dtype), kUnimplemented,
              "nansum(): nansum on CPU does not support complex inputs, but got ", input.dtype());
  const bool may_have_nan = is_floating_point(input.dtype());
  return sum(may_have_nan ? masked_fill(input, isnan(input, at), 0, at) : input, dim, keepdim,
             dtype, at);
}

TensorBase nanmean(const TensorBase& input, const OptionalDims& dim, bool keepdim,
                   std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(is_differentiable(input.get("nanmean", "input").key.dtype), kInvalidArgument,
              "nanmean(): expected input to have floating point or complex dtype but got ",
              input.dtype());
  const TensorBase nan = isnan(input, at);
  const TensorBase total = sum(masked_fill(input, nan, 0, at), dim, keepdim, dtype, at);
  return div(total, sum(logical_not(nan, at), dim, keepdim, {}, at), at);
}

TensorBase count_nonzero(const TensorBase& input, const OptionalDims& dim, CallSite at) {
  return sum(ne(input, 0, at), dim, false, {}, at);
}

TensorBase sum_to_size(const TensorBase& input, Dims size, CallSite at) {
  const Dims from = input.sizes();
  EAGRE_CHECK(is_expandable_to(size, from), kInvalidArgument, "sum_to_size(): shape ", from,
              " cannot be summed to ", size);
  // As in PyTorch: of a tensor without dimensions a new one, else the tensor itself if it fits.
  if (from.empty()) return sum(input, OptionalDims(), false, {}, at);
  const size_t lead = from.size() - size.size();
  DimVector repeated;
  DimVector leading;
  for (size_t i = 0; i < from.size(); ++i) {
    if (i < lead) {
      leading.push_back(static_cast<int64_t>(i));
    } else if (size[i - lead] == 1 && from[i] != 1) {
      repeated.push_back(static_cast<int64_t>(i));
    }
  }
  TensorBase result = input;
  if (!repeated.empty()) result = sum(result, Dims(repeated), true, {}, at);
  if (!leading.empty()) result = sum(result, Dims(leading), false, {}, at);
  return result;
}

TensorBase expand_reduced(const TensorBase& input, Dims size, const OptionalDims& dim, bool keepdim,
                          CallSite at) {
  TensorBase result = input;
  if (!keepdim && !dim.values().empty()) {
    const auto rank = static_cast<int64_t>(size.size());
    uint64_t reduced = 0;
    for (int64_t d : dim.values()) {
      reduced |= uint64_t{1} << wrap_dim("expand_reduced", "dim", d, rank);
    }
    for (int64_t d = 0; d < rank; ++d) {
      if ((reduced >> d & 1) != 0) result = unsqueeze(result, d, at);
    }
  }
  return expand(result, size, at);
}

TensorBase mean_grad(const TensorBase& g, Dims size, const OptionalDims& dim, bool keepdim,
                     CallSite at) {
  const auto count = static_cast<double>(reduced_count(size, dim));
  return expand_reduced(div(g, count, at), size, dim, keepdim, at);
}

namespace {

// Of a batch, in all samples.
int64_t count_zeros(const TensorBase& tensor, CallSite at) {
  if (tensor.device().is_meta()) return 0;
  const autograd::SeenLevels none(nullptr);
  const TensorBase count = sum(eq(autograd::all_samples(tensor), 0, at), {}, false, {}, at);
  return *dispatch::on_device(count, Device()).data_ptr<int64_t>();
}

}  // namespace

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
  const TensorBase others = leave_one_out(input, dim, 1, at);
  DimVector trailing;
  for (int64_t d = input.dim(); d < others.dim(); ++d) trailing.push_back(d);
  const TensorBase products = prod(others, Dims(trailing), false, {}, at);
  return mul(expand_reduced(g, input.sizes(), dim, keepdim, at), products, at);
}

TensorBase logsumexp_grad(const TensorBase& g, const TensorBase& input, const TensorBase& result,
                          const OptionalDims& dim, bool keepdim, CallSite at) {
  const Dims size = input.sizes();
  const TensorBase part = sub(input, expand_reduced(result, size, dim, keepdim, at), 1, at);
  return mul(expand_reduced(g, size, dim, keepdim, at), exp(part, at), at);
}

}  // namespace eagre::ops
