// Vectors and rows compared with each other: cross products, distances, covariances.
#include <algorithm>

#include <eagre/autograd/composites/looked_at.h>
#include <eagre/autograd/ops/cat.h>
#include <eagre/autograd/ops/cdist.h>
#include <eagre/autograd/ops/clamp.h>
#include <eagre/autograd/ops/clamp_min.h>
#include <eagre/autograd/ops/conj.h>
#include <eagre/autograd/ops/corrcoef.h>
#include <eagre/autograd/ops/cov.h>
#include <eagre/autograd/ops/cross.h>
#include <eagre/autograd/ops/diagonal.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/ge.h>
#include <eagre/autograd/ops/matmul.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/norm.h>
#include <eagre/autograd/ops/real.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/split.h>
#include <eagre/autograd/ops/sqrt.h>
#include <eagre/autograd/ops/squeeze_all.h>
#include <eagre/autograd/ops/stack.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/t.h>
#include <eagre/autograd/ops/unbind.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>

namespace eagre::ops {

TensorBase cross(const TensorBase& input, const TensorBase& other, std::optional<int64_t> dim,
                 CallSite at) {
  const SiteScope scope(at);
  if (input.dim() != other.dim()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{
              "cross", "other",
              concat("the same number of dimensions as 'input' of shape ", input.sizes(), " has"),
              concat("shape ", other.sizes())});
  }
  const DimVector shape = broadcast_shapes("cross", input.sizes(), other.sizes());
  const auto first = std::find(shape.begin(), shape.end(), 3) - shape.begin();
  const int64_t d = dim ? wrap_dim("cross", "dim", *dim, input.dim()) : first;
  const bool is_there = d < input.dim();
  EAGRE_CHECK(is_there && input.sizes()[d] == 3 && other.sizes()[d] == 3, kInvalidArgument,
              "cross(): both inputs must have length 3 along dimension ",
              is_there ? concat(d) : "'dim'", ", but their shapes are ", input.sizes(), " and ",
              other.sizes());
  const TensorVector a = unbind(input, d, at);
  const TensorVector b = unbind(other, d, at);
  TensorVector parts;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    parts.push_back(sub(mul(a[j], b[k], at), mul(a[k], b[j], at), 1, at));
  }
  return stack(parts, d, at);
}

// --- distances ---

namespace {

// So many differences of elements at once: more would need rows × rows × columns of memory.
constexpr int64_t kAtOnce = int64_t{1} << 22;

TensorBase distances(const TensorBase& rows, const TensorBase& others, double p, CallSite at) {
  return norm(sub(unsqueeze(rows, -2, at), unsqueeze(others, -3, at), 1, at), p, -1, false, {}, at);
}

void check_rows(const char* argument, const TensorBase& rows) {
  if (rows.dim() >= 2 && is_floating_point(rows.dtype())) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"cdist", argument, "floating-point matrices (at least 2 dimensions)",
                        concat("shape ", rows.sizes(), " of ", rows.dtype())});
}

void check_mode(const std::optional<std::string_view>& mode) {
  if (!mode) return;
  for (std::string_view known : {"use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
                                 "donot_use_mm_for_euclid_dist"}) {
    if (*mode == known) return;
  }
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"cdist", "compute_mode", "a mode of PyTorch's", concat("'", *mode, "'")});
}

}  // namespace

TensorBase cdist(const TensorBase& x1, const TensorBase& x2, double p,
                 std::optional<std::string_view> compute_mode, CallSite at) {
  const SiteScope scope(at);
  check_rows("x1", x1);
  check_rows("x2", x2);
  check_mode(compute_mode);
  EAGRE_CHECK(p >= 0, kInvalidArgument, "cdist(): argument 'p' must not be negative, but got ", p);
  if (x1.sizes().back() != x2.sizes().back()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"cdist", "x2", concat(x1.sizes().back(), " columns, as many as 'x1' has"),
                          concat("shape ", x2.sizes())});
  }
  const int64_t rows = x1.sizes()[x1.dim() - 2];
  int64_t each = std::max<int64_t>(x2.numel(), 1);
  for (int64_t d = 0; d < x1.dim() - 2; ++d) each *= std::max<int64_t>(x1.sizes()[d], 1);
  const int64_t step = std::max<int64_t>(kAtOnce / each, 1);
  if (rows <= step) return distances(x1, x2, p, at);
  TensorVector parts = split(x1, step, -2, at);
  for (TensorBase& part : parts) part = distances(part, x2, p, at);
  return cat(parts, -2, at);
}

// --- covariances ---

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

}  // namespace eagre::ops
