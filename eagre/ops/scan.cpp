// Differences of neighbours, integrals, and what is combined along a dimension element by element.
#include <cstddef>
#include <cstdint>
#include <optional>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/add.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/cumprod.h>
#include <eagre/ops/cumsum.h>
#include <eagre/ops/cumsum_inplace.h>
#include <eagre/ops/diff.h>
#include <eagre/ops/div.h>
#include <eagre/ops/logcumsumexp.h>
#include <eagre/ops/logical_xor.h>
#include <eagre/ops/logsumexp.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/stack.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/trapezoid.h>
#include <eagre/ops/trapezoid_at.h>

namespace eagre::ops {

void cumsum_inplace_(const TensorBase& input, int64_t dim, std::optional<DType> dtype,
                     CallSite at) {
  const TensorBase sums = cumsum(input, dim, dtype.value_or(input.dtype()), at);
  autograd::assign_result("cumsum_", input, sums, at);
}

namespace {

// Without the first `skipped` elements along a dimension, or without the last.
TensorBase later(const TensorBase& x, int64_t dim, int64_t skipped, CallSite at) {
  return narrow(x, dim, skipped, x.sizes()[dim] - skipped, at);
}

TensorBase earlier(const TensorBase& x, int64_t dim, int64_t skipped, CallSite at) {
  return narrow(x, dim, 0, x.sizes()[dim] - skipped, at);
}

void check_joined(const char* argument, const TensorBase& part, const TensorBase& input,
                  int64_t dim) {
  bool fits = part.dim() == input.dim();
  for (int64_t d = 0; fits && d < input.dim(); ++d) {
    fits = d == dim || part.sizes()[d] == input.sizes()[d];
  }
  if (fits) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{
            "diff", argument,
            concat("a shape like that of 'input', ", input.sizes(), ", but for dimension ", dim),
            concat("shape ", part.sizes())});
}

}  // namespace

TensorBase diff(const TensorBase& input, int64_t n, int64_t dim, const TensorBase& prepend,
                const TensorBase& append, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() > 0, kInvalidArgument,
              "diff(): argument 'input' must be at least one-dimensional, but got a 0-dim tensor");
  EAGRE_CHECK(n >= 0, kInvalidArgument, "diff(): order must be non-negative but got ", n);
  const int64_t d = wrap_dim("diff", "dim", dim, input.dim());
  if (prepend.defined()) check_joined("prepend", prepend, input, d);
  if (append.defined()) check_joined("append", append, input, d);
  if (n == 0) return clone(input, at);
  TensorVector parts;
  if (prepend.defined()) parts.push_back(prepend);
  parts.push_back(input);
  if (append.defined()) parts.push_back(append);
  TensorBase x = parts.size() > 1 ? cat(parts, d, at) : input;
  for (int64_t i = 0; i < n && x.sizes()[d] > 0; ++i) {
    const TensorBase after = later(x, d, 1, at);
    const TensorBase before = earlier(x, d, 1, at);
    x = x.dtype() == kBool ? logical_xor(after, before, at) : sub(after, before, 1, at);
  }
  return x;
}

namespace {

// Sums and differences of narrow integers do not fit into these.
TensorBase widened(const TensorBase& x, CallSite at) {
  return is_differentiable(x.dtype()) ? x : cast(x, kInt64, at);
}

// The middles between neighbours, which times their distances are the areas of trapezoids.
TensorBase middles(const TensorBase& given, int64_t dim, CallSite at) {
  const TensorBase y = widened(given, at);
  return div(add(later(y, dim, 1, at), earlier(y, dim, 1, at), 1, at), 2, at);
}

int64_t checked_dim(const TensorBase& y, int64_t dim) {
  const int64_t d = wrap_dim("trapezoid", "dim", dim, y.dim());
  EAGRE_CHECK(y.dim() > 0, kIndex, "trapezoid(): argument 'y' must have at least one dimension");
  return d;
}

}  // namespace

TensorBase trapezoid(const TensorBase& y, const Scalar& dx, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  const int64_t d = checked_dim(y, dim);
  if (y.sizes()[d] == 0) return sum(y, d, false, {}, at);
  return mul(sum(middles(y, d, at), d, false, {}, at), dx, at);
}

TensorBase trapezoid_at(const TensorBase& y, const TensorBase& x, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  const int64_t d = checked_dim(y, dim);
  if (y.sizes()[d] == 0) return sum(y, d, false, {}, at);
  if (x.dim() == 0) return trapezoid(y, 0, dim, at);
  if (x.dim() != 1) {
    // Shorter shapes of both begin with ones: the same dimension, counted from the end.
    const int64_t from_end = wrap_dim("trapezoid", "dim", d - y.dim(), x.dim());
    return sum(mul(middles(y, d, at), diff(widened(x, at), 1, from_end, {}, {}, at), at),
               d - y.dim(), false, {}, at);
  }
  if (x.sizes()[0] != y.sizes()[d]) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"trapezoid", "x",
                          concat("one place for each of the ", y.sizes()[d], " elements of 'y'"),
                          concat("shape ", x.sizes())});
  }
  DimVector sizes(static_cast<size_t>(y.dim()), 1);
  sizes[d] = -1;
  const TensorBase steps = reshape(diff(widened(x, at), 1, 0, {}, {}, at), sizes, at);
  return sum(mul(middles(y, d, at), steps, at), d, false, {}, at);
}

namespace {

using Combine = TensorBase (*)(const TensorBase&, const TensorBase&, CallSite);

// Every element combined with all before it, by doubling the distance.
TensorBase scanned(Combine combine, const TensorBase& input, int64_t dim, CallSite at) {
  if (input.dim() == 0 || input.numel() == 0 || input.sizes()[dim] == 1) return clone(input, at);
  TensorBase x = input;
  for (int64_t step = 1; step < input.sizes()[dim]; step *= 2) {
    const TensorBase sum = combine(earlier(x, dim, step, at), later(x, dim, step, at), at);
    x = cat({narrow(x, dim, 0, step, at), sum}, dim, at);
  }
  return x;
}

TensorBase product(const TensorBase& a, const TensorBase& b, CallSite at) { return mul(a, b, at); }

// The logarithm of the sum of two exponentials, from the larger one.
TensorBase log_sum(const TensorBase& a, const TensorBase& b, CallSite at) {
  return logsumexp(stack({a, b}, 0, at), 0, false, at);
}

}  // namespace

TensorBase cumprod(const TensorBase& input, int64_t dim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  const int64_t d = wrap_dim("cumprod", "dim", dim, input.get("cumprod", "input").key.rank);
  const DType wanted = dtype.value_or(is_differentiable(input.dtype()) ? input.dtype() : kInt64);
  return scanned(product, input.dtype() == wanted ? input : cast(input, wanted, at), d, at);
}

TensorBase logcumsumexp(const TensorBase& input, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  const int64_t d =
      wrap_dim("logcumsumexp", "dim", dim, input.get("logcumsumexp", "input").key.rank);
  EAGRE_CHECK(is_floating_point(input.dtype()), kUnimplemented,
              "logcumsumexp(): argument 'input' must be floating-point, but got ", input.dtype());
  return scanned(log_sum, input, d, at);
}

}  // namespace eagre::ops
