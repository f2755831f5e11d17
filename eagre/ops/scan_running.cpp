// What is known of a row so far: its extremes, its integral.
#include <array>
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/check_ordered.h>
#include <eagre/ops/cummax.h>
#include <eagre/ops/cummin.h>
#include <eagre/ops/cumsum.h>
#include <eagre/ops/cumulative_trapezoid.h>
#include <eagre/ops/cumulative_trapezoid_at.h>
#include <eagre/ops/diff.h>
#include <eagre/ops/div.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/running_extreme.h>

namespace eagre::ops {
namespace {

using Pair = std::array<TensorBase, 2>;

Pair extremes(const char* op, const TensorBase& input, int64_t dim, bool least, CallSite at) {
  check_ordered(op, input);
  const int64_t d = wrap_dim(op, "dim", dim, input.dim());
  TensorBase places;
  {
    const NoGradGuard guard;
    places = running_extreme(input, d, least, at);
  }
  return {gather(input, d, places, at), places};
}

}  // namespace

Pair cummax(const TensorBase& input, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  return extremes("cummax", input, dim, false, at);
}

Pair cummin(const TensorBase& input, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  return extremes("cummin", input, dim, true, at);
}

namespace {

constexpr const char* kIntegral = "cumulative_trapezoid";

TensorBase widened(const TensorBase& x, CallSite at) {
  return is_differentiable(x.dtype()) ? x : cast(x, kInt64, at);
}

// Twice the middles between neighbours along `dim`.
TensorBase pair_sums(const TensorBase& given, int64_t dim, CallSite at) {
  const TensorBase y = widened(given, at);
  const int64_t count = y.sizes()[static_cast<size_t>(dim)];
  if (count < 2) return narrow(y, dim, 0, 0, at);
  return add(narrow(y, dim, 1, count - 1, at), narrow(y, dim, 0, count - 1, at), 1, at);
}

int64_t checked_dim(const TensorBase& y, int64_t dim) {
  const int64_t d = wrap_dim(kIntegral, "dim", dim, y.dim());
  EAGRE_CHECK(y.dim() > 0, kIndex, kIntegral, "(): argument 'y' must have at least one dimension");
  return d;
}

}  // namespace

TensorBase cumulative_trapezoid(const TensorBase& y, const Scalar& dx, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  const int64_t d = checked_dim(y, dim);
  const TensorBase twice = cumsum(pair_sums(y, d, at), d, {}, at);
  return mul(div(twice, 2, at), dx, at);
}

TensorBase cumulative_trapezoid_at(const TensorBase& y, const TensorBase& x, int64_t dim,
                                   CallSite at) {
  const SiteScope scope(at);
  const int64_t d = checked_dim(y, dim);
  TensorBase steps;
  if (x.dim() == 1) {
    if (x.sizes()[0] != y.sizes()[static_cast<size_t>(d)]) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{kIntegral, "x",
                            concat("one place for each of the ", y.sizes()[static_cast<size_t>(d)],
                                   " elements of 'y'"),
                            concat("shape ", x.sizes())});
    }
    DimVector sizes(static_cast<size_t>(y.dim()), 1);
    sizes[static_cast<size_t>(d)] = -1;
    if (x.numel() == 0) sizes[static_cast<size_t>(d)] = 0;
    steps = diff(reshape(widened(x, at), sizes, at), 1, d, {}, {}, at);
  } else {
    if (x.dim() == 0) invalid_argument(kIntegral, "x", "at least one dimension", "a 0-dim tensor");
    // Shorter shapes of both begin with ones: the same dimension, counted from the end.
    const int64_t from_end = wrap_dim(kIntegral, "dim", d - y.dim(), x.dim());
    steps = diff(widened(x, at), 1, from_end, {}, {}, at);
  }
  const TensorBase areas = mul(pair_sums(y, d, at), steps, at);
  return div(cumsum(areas, d - y.dim(), {}, at), 2, at);
}

}  // namespace eagre::ops
