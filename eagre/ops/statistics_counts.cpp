// How often elements are there: mode, histc.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/amax.h>
#include <eagre/ops/amin.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/check_ordered.h>
#include <eagre/ops/clamp_max.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/full.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/histc.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/isfinite.h>
#include <eagre/ops/le.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/longest_run.h>
#include <eagre/ops/mode.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/sort.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/values_at.h>
#include <eagre/ops/where.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {

std::array<TensorBase, 2> mode(const TensorBase& input, int64_t dim, bool keepdim, CallSite at) {
  const SiteScope scope(at);
  check_ordered("mode", input);
  const int64_t d = wrap_dim("mode", "dim", dim, input.dim());
  if (input.dim() == 0) {
    const auto [values, places] = mode(unsqueeze(input, 0, at), 0, false, at);
    return {values, places};
  }
  EAGRE_CHECK(input.sizes()[static_cast<size_t>(d)] != 0, kIndex, "mode(): expected reduction dim ",
              d, " to have non-zero size, but the shape is ", input.sizes());
  TensorBase places;
  {
    const NoGradGuard guard;
    const auto [ordered, sources] = sort(input, d, false, true, at);
    places = longest_run(ordered, sources, d, at);
  }
  return values_at(input, d, places, keepdim, at);
}

namespace {

// Tensors without dimensions, as those of the samples of a batch differ.
struct Bounds {
  TensorBase low, high;
};

Bounds bounds_of(const TensorBase& input, const Scalar& min, const Scalar& max, CallSite at) {
  const auto options = TensorOptions(input.dtype()).device(input.device());
  Bounds found{full({}, min, options, at), full({}, max, options, at)};
  const bool are_given = min.wrapped<double>() != max.wrapped<double>();
  if (!are_given && input.numel() > 0) {
    found = {amin(input, {}, false, at), amax(input, {}, false, at)};
  }
  EAGRE_CHECK(all_true(logical_and(isfinite(found.low, at), isfinite(found.high, at), at), at),
              kInvalidArgument,
              "histc(): the range of arguments 'min' and 'max', or of 'input', is not finite");
  EAGRE_CHECK(all_true(le(found.low, found.high, at), at), kInvalidArgument,
              "histc(): argument 'max' must be greater than 'min'");
  const TensorBase is_point = eq(found.low, found.high, at);
  return {where(is_point, sub(found.low, 1, 1, at), found.low, at),
          where(is_point, add(found.high, 1, 1, at), found.high, at)};
}

}  // namespace

TensorBase histc(const TensorBase& input, int64_t bins, const Scalar& min, const Scalar& max,
                 CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(is_floating_point(input.get("histc", "input").key.dtype), kUnimplemented,
              "histc(): argument 'input' must be floating-point, but got ", input.dtype());
  if (bins <= 0) invalid_argument("histc", "bins", "a positive number", std::to_string(bins));
  const NoGradGuard guard;
  const auto [low, high] = bounds_of(input, min, max, at);
  const auto options = TensorOptions(input.dtype()).device(input.device());
  TensorBase none = zeros(Dims({bins}), options, at);
  if (input.numel() == 0) return none;
  const TensorBase flat = reshape(input, Dims({input.numel()}), at);
  const TensorBase counted = logical_and(ge(flat, low, at), le(flat, high, at), at);
  const auto number = static_cast<double>(bins);
  const TensorBase scaled = div(mul(sub(flat, low, 1, at), number, at), sub(high, low, 1, at), at);
  // What is not counted may be anything, NaN too, so it gets a number first.
  const TensorBase place = clamp_max(cast(where(counted, scaled, 0, at), kInt64, at), bins - 1, at);
  return scatter_add(none, 0, place, cast(counted, input.dtype(), at), at);
}

}  // namespace eagre::ops
