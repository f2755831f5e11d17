// Medians and quantiles: elements by their place in the order.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/amax.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/ceil.h>
#include <eagre/ops/check_ordered.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/flatten.h>
#include <eagre/ops/floor.h>
#include <eagre/ops/floor_divide.h>
#include <eagre/ops/full.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/isnan.h>
#include <eagre/ops/le.h>
#include <eagre/ops/lerp.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/logical_not.h>
#include <eagre/ops/logical_or.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/median.h>
#include <eagre/ops/median_all.h>
#include <eagre/ops/movedim.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/nanmedian.h>
#include <eagre/ops/nanmedian_all.h>
#include <eagre/ops/nanquantile.h>
#include <eagre/ops/nanquantile_number.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/new_full.h>
#include <eagre/ops/quantile.h>
#include <eagre/ops/quantile_number.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/round.h>
#include <eagre/ops/rsub.h>
#include <eagre/ops/sort.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/values_at.h>
#include <eagre/ops/where.h>

namespace eagre::ops {

using Pair = std::array<TensorBase, 2>;

namespace {

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
  return values_at(input, d, median_places(input, d, skip_nan, at), keepdim, at);
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

namespace {

void check_divided(const char* op, const TensorBase& input) {
  EAGRE_CHECK(input.dtype() == kFloat32 || input.dtype() == kFloat64, kInvalidArgument, op,
              "() input tensor must be either float or double dtype, but 'input' is ",
              input.dtype());
  EAGRE_CHECK(input.numel() != 0, kInvalidArgument, op,
              "() input tensor must be non-empty, but 'input' has shape ", input.sizes());
}

void check_shares(const char* op, const TensorBase& input, const TensorBase& q,
                  std::string_view interpolation, CallSite at) {
  check_divided(op, input);
  EAGRE_CHECK(q.dtype() == input.dtype(), kInvalidArgument, op,
              "() q tensor must be same dtype as the input tensor, ", input.dtype(),
              ", but 'q' is ", q.dtype());
  EAGRE_CHECK(q.dim() <= 1, kInvalidArgument, op,
              "() q must be a scalar or 1D tensor, but 'q' has shape ", q.sizes());
  EAGRE_CHECK(all_true(logical_and(ge(q, 0, at), le(q, 1, at), at), at), kInvalidArgument, op,
              "() q values must be in the range [0, 1], but some of 'q' are not");
  for (std::string_view known : {"linear", "lower", "higher", "midpoint", "nearest"}) {
    if (interpolation == known) return;
  }
  raise(ErrorKind::kInvalidArgument,
        concat(op,
               "() interpolation must be one of linear, lower, higher, midpoint or nearest, "
               "but got ",
               interpolation, ": argument 'interpolation' is '", interpolation, "'"));
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

namespace {

// The same at places that differ from row to row: [rows, places].
TensorBase between_in_rows(const TensorBase& ordered, const TensorBase& place,
                           std::string_view interpolation, CallSite at) {
  TensorBase low = floor(place, at);
  TensorBase high = ceil(place, at);
  if (interpolation == "lower") high = low;
  if (interpolation == "higher") low = high;
  if (interpolation == "nearest") low = high = round(place, at);
  TensorBase below = gather(ordered, -1, cast(low, kInt64, at), at);
  if (low.is_same(high)) return below;
  const TensorBase above = gather(ordered, -1, cast(high, kInt64, at), at);
  if (interpolation == "midpoint") return lerp(below, above, 0.5, at);
  return lerp(below, above, cast(sub(place, low, 1, at), ordered.dtype(), at), at);
}

// Of rows in order, where NaN is last: [rows, shares].
TensorBase of_numbers(const TensorBase& ordered, const TensorBase& shares,
                      std::string_view interpolation, CallSite at) {
  const int64_t size = ordered.sizes().back();
  const TensorBase nans = sum(isnan(ordered, at), -1, true, {}, at);
  const TensorBase last = cast(clamp_min(rsub(nans, size - 1, 1, at), 0, at), kFloat64, at);
  return between_in_rows(ordered, mul(last, shares, at), interpolation, at);
}

TensorBase of_all(const TensorBase& ordered, const TensorBase& shares,
                  std::string_view interpolation, CallSite at) {
  const int64_t last = ordered.sizes().back() - 1;
  const TensorBase place = mul(shares, static_cast<double>(last), at);
  const TensorBase found = between(ordered, place, interpolation, at);
  // A NaN is the quantile of everything; it is the last in the order.
  const TensorBase nan = isnan(narrow(ordered, -1, last, 1, at), at);
  return masked_fill(found, nan, std::numeric_limits<double>::quiet_NaN(), at);
}

TensorBase quantile_of(const TensorBase& input, const TensorBase& q, std::optional<int64_t> dim,
                       bool keepdim, std::string_view interpolation, bool skip_nan, CallSite at) {
  const char* const op = skip_nan ? "nanquantile" : "quantile";
  check_shares(op, input, q, interpolation, at);
  const int64_t rank = input.dim();
  const int64_t d = dim ? wrap_dim(op, "dim", *dim, rank) : 0;
  const bool is_flat = !dim || rank == 0;
  const TensorBase rows = is_flat ? reshape(input, {-1}, at) : movedim(input, d, -1, at);
  const TensorBase ordered = sort(rows, -1, false, false, at)[0];
  const TensorBase shares = cast(reshape(q, {-1}, at), kFloat64, at);
  TensorBase found = skip_nan ? of_numbers(ordered, shares, interpolation, at)
                              : of_all(ordered, shares, interpolation, at);
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

// One share as a tensor.
TensorBase as_share(const char* op, const TensorBase& input, double q, CallSite at) {
  check_divided(op, input);
  EAGRE_CHECK(q >= 0 && q <= 1, kInvalidArgument, op, "() q must be in the range [0, 1] but got ",
              text_of(q), " for 'q'");
  return full({}, q, TensorOptions(input.dtype()).device(input.device()), at);
}

}  // namespace

TensorBase quantile(const TensorBase& input, const TensorBase& q, std::optional<int64_t> dim,
                    bool keepdim, std::string_view interpolation, CallSite at) {
  const SiteScope scope(at);
  return quantile_of(input, q, dim, keepdim, interpolation, false, at);
}

TensorBase quantile_number(const TensorBase& input, double q, std::optional<int64_t> dim,
                           bool keepdim, std::string_view interpolation, CallSite at) {
  const SiteScope scope(at);
  return quantile_of(input, as_share("quantile", input, q, at), dim, keepdim, interpolation, false,
                     at);
}

TensorBase nanquantile(const TensorBase& input, const TensorBase& q, std::optional<int64_t> dim,
                       bool keepdim, std::string_view interpolation, CallSite at) {
  const SiteScope scope(at);
  return quantile_of(input, q, dim, keepdim, interpolation, true, at);
}

TensorBase nanquantile_number(const TensorBase& input, double q, std::optional<int64_t> dim,
                              bool keepdim, std::string_view interpolation, CallSite at) {
  const SiteScope scope(at);
  return quantile_of(input, as_share("nanquantile", input, q, at), dim, keepdim, interpolation,
                     true, at);
}

}  // namespace eagre::ops
