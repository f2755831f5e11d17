// Means, extremes, medians and quantiles that are written with other operators.
#include <array>
#include <limits>

#include <eagre/autograd/composites/looked_at.h>
#include <eagre/autograd/ops/amax.h>
#include <eagre/autograd/ops/amin.h>
#include <eagre/autograd/ops/aminmax.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/ceil.h>
#include <eagre/autograd/ops/clamp_min.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/flatten.h>
#include <eagre/autograd/ops/floor.h>
#include <eagre/autograd/ops/floor_divide.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/gather.h>
#include <eagre/autograd/ops/ge.h>
#include <eagre/autograd/ops/gt.h>
#include <eagre/autograd/ops/index_select.h>
#include <eagre/autograd/ops/isnan.h>
#include <eagre/autograd/ops/kthvalue.h>
#include <eagre/autograd/ops/le.h>
#include <eagre/autograd/ops/lerp.h>
#include <eagre/autograd/ops/logical_and.h>
#include <eagre/autograd/ops/logical_not.h>
#include <eagre/autograd/ops/logical_or.h>
#include <eagre/autograd/ops/masked_fill.h>
#include <eagre/autograd/ops/mean.h>
#include <eagre/autograd/ops/median.h>
#include <eagre/autograd/ops/median_all.h>
#include <eagre/autograd/ops/movedim.h>
#include <eagre/autograd/ops/msort.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/nanmean.h>
#include <eagre/autograd/ops/nanmedian.h>
#include <eagre/autograd/ops/nanmedian_all.h>
#include <eagre/autograd/ops/nansum.h>
#include <eagre/autograd/ops/narrow.h>
#include <eagre/autograd/ops/new_full.h>
#include <eagre/autograd/ops/quantile.h>
#include <eagre/autograd/ops/quantile_number.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/round.h>
#include <eagre/autograd/ops/rsub.h>
#include <eagre/autograd/ops/sort.h>
#include <eagre/autograd/ops/squeeze.h>
#include <eagre/autograd/ops/std.h>
#include <eagre/autograd/ops/std_mean.h>
#include <eagre/autograd/ops/std_mean_dim_unbiased.h>
#include <eagre/autograd/ops/std_mean_unbiased.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/var.h>
#include <eagre/autograd/ops/var_mean.h>
#include <eagre/autograd/ops/var_mean_dim_unbiased.h>
#include <eagre/autograd/ops/var_mean_unbiased.h>
#include <eagre/autograd/ops/where.h>
#include <eagre/autograd/recording.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>

namespace eagre::ops {

using Pair = std::array<TensorBase, 2>;

// --- mean and deviation ---

Pair var_mean(const TensorBase& input, const OptionalDims& dim, std::optional<double> correction,
              bool keepdim, CallSite at) {
  return {var(input, dim, correction, keepdim, at), mean(input, dim, keepdim, {}, at)};
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
  return {ops::std(input, dim, correction, keepdim, at), mean(input, dim, keepdim, {}, at)};
}

Pair std_mean_unbiased(const TensorBase& input, bool unbiased, CallSite at) {
  return std_mean(input, {}, unbiased ? 1 : 0, false, at);
}

Pair std_mean_dim_unbiased(const TensorBase& input, const OptionalDims& dim, bool unbiased,
                           bool keepdim, CallSite at) {
  return std_mean(input, dim, unbiased ? 1 : 0, keepdim, at);
}

// --- without NaN ---

TensorBase nansum(const TensorBase& input, const OptionalDims& dim, bool keepdim,
                  std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!is_complex(input.get("nansum", "input").key.dtype), kUnimplemented,
              "nansum(): argument 'input' must not be complex, but got ", input.dtype());
  const bool may_have_nan = is_floating_point(input.dtype());
  return sum(may_have_nan ? masked_fill(input, isnan(input, at), 0, at) : input, dim, keepdim,
             dtype, at);
}

TensorBase nanmean(const TensorBase& input, const OptionalDims& dim, bool keepdim,
                   std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(is_differentiable(input.get("nanmean", "input").key.dtype), kInvalidArgument,
              "nanmean(): argument 'input' must be floating-point or complex, but got ",
              input.dtype());
  const TensorBase nan = isnan(input, at);
  const TensorBase total = sum(masked_fill(input, nan, 0, at), dim, keepdim, dtype, at);
  return div(total, sum(logical_not(nan, at), dim, keepdim, {}, at), at);
}

// --- elements by their place in the order ---

namespace {

void check_ordered(const char* op, const TensorBase& input) {
  EAGRE_CHECK(!is_complex(input.get(op, "input").key.dtype), kUnimplemented, op,
              "(): complex numbers have no order, but 'input' is of ", input.dtype());
}

// The values at places that were chosen without recording anything: a gradient goes there.
Pair chosen(const TensorBase& input, int64_t dim, const TensorBase& places, bool keepdim,
            CallSite at) {
  const TensorBase values = gather(input, dim, places, at);
  if (keepdim) return {values, places};
  return {squeeze(values, dim, at), squeeze(places, dim, at)};
}

// Where in the order of `size` elements the median stands, of which the last may be NaN.
TensorBase middle(const TensorBase& input, int64_t dim, bool skip_nan, CallSite at) {
  const int64_t size = input.sizes()[dim];
  const TensorBase nans = sum(isnan(input, at), dim, true, {}, at);
  if (!skip_nan) {
    return where(gt(nans, 0, at), rsub(nans, size, 1, at), (size - 1) / 2, at);
  }
  const TensorBase place = floor_divide(rsub(nans, size - 1, 1, at), 2, at);
  return clamp_min(place, 0, at);
}

// Row numbers of the median, with a dimension of size 1 in place of `dim`.
TensorBase median_places(const TensorBase& input, int64_t dim, bool skip_nan, CallSite at) {
  const NoGradGuard guard;
  return gather(sort(input, dim, false, true, at)[1], dim, middle(input, dim, skip_nan, at), at);
}

Pair median_along(const char* op, const TensorBase& input, int64_t dim, bool keepdim, bool skip_nan,
                  CallSite at) {
  check_ordered(op, input);
  const int64_t d = wrap_dim(op, "dim", dim, input.dim());
  if (input.dim() == 0) {
    const auto [values, places] = median_along(op, unsqueeze(input, 0, at), 0, false, skip_nan, at);
    return {values, places};
  }
  EAGRE_CHECK(input.sizes()[d] != 0, kIndex, op, "(): expected reduction dim ", d,
              " to have non-zero size, but the shape is ", input.sizes());
  return chosen(input, d, median_places(input, d, skip_nan, at), keepdim, at);
}

// Of all elements. As in PyTorch all that equal it share its gradient, which is what amax does: of
// them, once the others are out of the way.
TensorBase median_of(const char* op, const TensorBase& input, bool skip_nan, CallSite at) {
  check_ordered(op, input);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (input.numel() == 0) return new_full(input, {}, kNan, {}, at);
  const TensorBase flat = flatten(input, 0, -1, at);
  const TensorBase places = median_places(flat, 0, skip_nan, at);
  const bool shares = is_differentiable(input.dtype()) && autograd::is_traced(input);
  if (!shares) return squeeze(gather(flat, 0, places, at), 0, at);
  TensorBase others;
  {
    const NoGradGuard guard;
    const TensorBase value = gather(flat, 0, places, at);
    const TensorBase both_nan = logical_and(isnan(flat, at), isnan(value, at), at);
    others = logical_not(logical_or(eq(flat, value, at), both_nan, at), at);
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return amax(masked_fill(flat, others, -kInfinity, at), {}, false, at);
}

}  // namespace

TensorBase median_all(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  return median_of("median", input, false, at);
}

TensorBase nanmedian_all(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  return median_of("nanmedian", input, true, at);
}

Pair median(const TensorBase& input, int64_t dim, bool keepdim, CallSite at) {
  const SiteScope scope(at);
  return median_along("median", input, dim, keepdim, false, at);
}

Pair nanmedian(const TensorBase& input, int64_t dim, bool keepdim, CallSite at) {
  const SiteScope scope(at);
  return median_along("nanmedian", input, dim, keepdim, true, at);
}

Pair kthvalue(const TensorBase& input, int64_t k, int64_t dim, bool keepdim, CallSite at) {
  const SiteScope scope(at);
  check_ordered("kthvalue", input);
  const int64_t d = wrap_dim("kthvalue", "dim", dim, input.dim());
  const int64_t size = input.dim() == 0 ? 1 : input.sizes()[d];
  if (k < 1 || k > size) {
    raise(
        ErrorKind::kInvalidArgument,
        ArgumentProblem{"kthvalue", "k", concat("from 1 to ", size, ", the size of dimension ", d),
                        concat(k, ": selected number k out of range")});
  }
  if (input.dim() == 0) return kthvalue(unsqueeze(input, 0, at), k, 0, false, at);
  TensorBase places;
  {
    const NoGradGuard guard;
    places = narrow(sort(input, d, false, true, at)[1], d, k - 1, 1, at);
  }
  return chosen(input, d, places, keepdim, at);
}

TensorBase msort(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  check_ordered("msort", input);
  return input.dim() == 0 ? clone(input, at) : sort(input, 0, false, false, at)[0];
}

Pair aminmax(const TensorBase& input, std::optional<int64_t> dim, bool keepdim, CallSite at) {
  const SiteScope scope(at);
  check_ordered("aminmax", input);
  EAGRE_CHECK(dim || input.numel() != 0, kInvalidArgument,
              "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
              "identity: argument 'input' has shape ",
              input.sizes());
  const OptionalDims dims = dim ? OptionalDims(*dim) : OptionalDims();
  return {amin(input, dims, keepdim, at), amax(input, dims, keepdim, at)};
}

// --- quantiles ---

namespace {

void check_shares(const TensorBase& input, const TensorBase& q, std::string_view interpolation,
                  CallSite at) {
  EAGRE_CHECK(input.dtype() == kFloat32 || input.dtype() == kFloat64, kInvalidArgument,
              "quantile(): argument 'input' must be either float or double, but got ",
              input.dtype());
  EAGRE_CHECK(input.numel() != 0, kInvalidArgument,
              "quantile(): argument 'input' must be non-empty, but got shape ", input.sizes());
  EAGRE_CHECK(q.dtype() == input.dtype(), kInvalidArgument,
              "quantile(): argument 'q' must be of the dtype of 'input', ", input.dtype(),
              ", but got ", q.dtype());
  EAGRE_CHECK(q.dim() <= 1, kInvalidArgument,
              "quantile(): argument 'q' must be a number or a vector, but got shape ", q.sizes());
  EAGRE_CHECK(all_true(logical_and(ge(q, 0, at), le(q, 1, at), at), at), kInvalidArgument,
              "quantile(): argument 'q' must be in the range [0, 1]");
  for (std::string_view known : {"linear", "lower", "higher", "midpoint", "nearest"}) {
    if (interpolation == known) return;
  }
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"quantile", "interpolation", "linear, lower, higher, midpoint or nearest",
                        concat("'", interpolation, "'")});
}

// The elements of ordered rows at places between two of them: [rows, places].
TensorBase between(const TensorBase& ordered, const TensorBase& place,
                   std::string_view interpolation, CallSite at) {
  TensorBase low = floor(place, at);
  TensorBase high = ceil(place, at);
  if (interpolation == "lower") high = low;
  if (interpolation == "higher") low = high;
  if (interpolation == "nearest") low = high = round(place, at);
  TensorBase below = index_select(ordered, -1, cast(low, kInt64, at), at);
  if (low.is_same(high)) return below;
  const TensorBase above = index_select(ordered, -1, cast(high, kInt64, at), at);
  if (interpolation == "midpoint") return lerp(below, above, 0.5, at);
  return lerp(below, above, cast(sub(place, low, 1, at), ordered.dtype(), at), at);
}

}  // namespace

TensorBase quantile(const TensorBase& input, const TensorBase& q, std::optional<int64_t> dim,
                    bool keepdim, std::string_view interpolation, CallSite at) {
  const SiteScope scope(at);
  check_shares(input, q, interpolation, at);
  const int64_t rank = input.dim();
  const int64_t d = dim ? wrap_dim("quantile", "dim", *dim, rank) : 0;
  const bool is_flat = !dim || rank == 0;
  const TensorBase rows = is_flat ? reshape(input, {-1}, at) : movedim(input, d, -1, at);
  const TensorBase ordered = sort(rows, -1, false, false, at)[0];
  const auto last = static_cast<double>(rows.sizes().back() - 1);
  const TensorBase place = mul(cast(reshape(q, {-1}, at), kFloat64, at), last, at);
  TensorBase found = between(ordered, place, interpolation, at);
  // A NaN is the quantile of everything; it is the last in the order.
  const TensorBase nan = isnan(narrow(ordered, -1, rows.sizes().back() - 1, 1, at), at);
  found = masked_fill(found, nan, std::numeric_limits<double>::quiet_NaN(), at);
  found = movedim(found, -1, 0, at);
  if (keepdim && is_flat) {
    DimVector sizes(static_cast<size_t>(rank) + 1, 1);
    sizes[0] = found.sizes()[0];
    found = reshape(found, sizes, at);
  } else if (keepdim) {
    found = unsqueeze(found, d + 1, at);
  }
  return q.dim() == 1 ? found : squeeze(found, 0, at);
}

TensorBase quantile_number(const TensorBase& input, double q, std::optional<int64_t> dim,
                           bool keepdim, std::string_view interpolation, CallSite at) {
  const SiteScope scope(at);
  const TensorOptions options = TensorOptions(input.dtype()).device(input.device());
  return quantile(input, full({}, q, options, at), dim, keepdim, interpolation, at);
}

}  // namespace eagre::ops
