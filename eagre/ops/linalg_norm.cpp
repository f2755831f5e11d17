// Norms of vectors, and distances.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/abs.h>
#include <eagre/ops/add.h>
#include <eagre/ops/amax.h>
#include <eagre/ops/amin.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/cdist.h>
#include <eagre/ops/dist.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/linalg_vector_norm.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/norm.h>
#include <eagre/ops/norm_except_dim.h>
#include <eagre/ops/norm_named.h>
#include <eagre/ops/pow.h>
#include <eagre/ops/rdiv.h>
#include <eagre/ops/renorm.h>
#include <eagre/ops/sign.h>
#include <eagre/ops/split.h>
#include <eagre/ops/sqrt.h>
#include <eagre/ops/square.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/where.h>

namespace eagre::ops {
namespace {

// The root has no derivative at zero; as in PyTorch its gradient is zero there.
TensorBase root(const TensorBase& total, double order, CallSite at) {
  const auto rooted = [&](const TensorBase& x) {
    return order == 2 ? sqrt(x, at) : pow(x, 1 / order, at);
  };
  if (order < 0 || !autograd::is_traced(total)) return rooted(total);
  const TensorBase zero = eq(total, 0, at);
  return masked_fill(rooted(masked_fill(total, zero, 1, at)), zero, 0, at);
}

// Nor has a power below 1.
TensorBase power(const TensorBase& size, double order, CallSite at) {
  if (order < 0 || order >= 1 || !autograd::is_traced(size)) return pow(size, order, at);
  const TensorBase zero = eq(size, 0, at);
  return masked_fill(pow(masked_fill(size, zero, 1, at), order, at), zero, 0, at);
}

TensorBase norm_of(const char* op, const TensorBase& input, double order, const OptionalDims& dim,
                   bool keepdim, std::optional<DType> dtype, CallSite at) {
  input.get(op, "input");
  const TensorBase x = dtype ? cast(input, *dtype, at) : input;
  EAGRE_CHECK(is_differentiable(x.dtype()), kUnimplemented, op,
              "(): expected a floating point or complex tensor as input, but got ", x.dtype());
  if (order == 2 && !is_complex(x.dtype())) {
    return root(sum(square(x, at), dim, keepdim, {}, at), order, at);
  }
  const TensorBase size = abs(x, at);
  if (std::isinf(order)) {
    return order > 0 ? amax(size, dim, keepdim, at) : amin(size, dim, keepdim, at);
  }
  if (order == 0) return sum(sign(size, at), dim, keepdim, {}, at);  // a count, of gradient zero
  if (order == 1) return sum(size, dim, keepdim, {}, at);
  const TensorBase powers = order == 2 ? square(size, at) : power(size, order, at);
  return root(sum(powers, dim, keepdim, {}, at), order, at);
}

}  // namespace

TensorBase norm(const TensorBase& input, std::optional<double> p, const OptionalDims& dim,
                bool keepdim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  return norm_of("norm", input, p.value_or(2), dim, keepdim, dtype, at);
}

TensorBase norm_except_dim(const TensorBase& v, int64_t pow, int64_t dim, CallSite at) {
  constexpr const char* kOp = "norm_except_dim";
  const SiteScope scope(at);
  const auto order = static_cast<double>(pow);
  if (dim == -1) return norm_of(kOp, v, order, {}, false, {}, at);
  const int64_t kept = wrap_dim(kOp, "dim", dim, v.dim());
  DimVector others;
  for (int64_t d = 0; d < v.dim(); ++d) {
    if (d != kept) others.push_back(d);
  }
  // No dimensions would mean all.
  if (others.empty()) return norm_of(kOp, unsqueeze(v, -1, at), order, Dims({1}), false, {}, at);
  return norm_of(kOp, v, order, Dims(others), true, {}, at);
}

TensorBase norm_named(const TensorBase& input, std::string_view p, const OptionalDims& dim,
                      bool keepdim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(p != "nuc", kUnimplemented,
              "norm(): p='nuc' needs singular values, which are not there yet");
  if (p != "fro") {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"norm", "p", "a number or 'fro'", concat("'", p, "'")});
  }
  return norm_of("norm", input, 2, dim, keepdim, dtype, at);
}

TensorBase linalg_vector_norm(const TensorBase& x, double ord, const OptionalDims& dim,
                              bool keepdim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  return norm_of("linalg_vector_norm", x, ord, dim, keepdim, dtype, at);
}

TensorBase dist(const TensorBase& input, const TensorBase& other, double p, CallSite at) {
  const SiteScope scope(at);
  return norm_of("dist", sub(input, other, 1, at), p, {}, false, {}, at);
}

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

TensorBase renorm(const TensorBase& input, const Scalar& p, int64_t dim, const Scalar& maxnorm,
                  CallSite at) {
  const SiteScope scope(at);
  const char* const op = "renorm";
  EAGRE_CHECK(
      p.category() != DTypeCategory::kComplex && maxnorm.category() != DTypeCategory::kComplex,
      kInvalidArgument, op, "(): arguments 'p' and 'maxnorm' must be real");
  const auto order = p.wrapped<double>(), most = maxnorm.wrapped<double>();
  EAGRE_CHECK(order > 0, kInvalidArgument, op, "(): argument 'p' must be positive, but got ",
              order);
  EAGRE_CHECK(most >= 0, kInvalidArgument, op,
              "(): expected maxnorm to be >= 0, but argument 'maxnorm' is ", most);
  const int64_t d = wrap_dim(op, "dim", dim, input.get(op, "input").key.rank);
  EAGRE_CHECK(input.dim() >= 2, kInvalidArgument, op,
              "(): argument 'input' must have at least 2 dimensions, but got ", input.dim());
  DimVector others;
  for (int64_t i = 0; i < input.dim(); ++i) {
    if (i != d) others.push_back(i);
  }
  const TensorBase size = norm_of(op, input, order, Dims(others), true, {}, at);
  // PyTorch's small number, so that what is scaled is not greater by rounding.
  const TensorBase factor = rdiv(add(size, 1e-7, 1, at), most, at);
  return mul(input, where(gt(size, most, at), factor, 1, at), at);
}

}  // namespace eagre::ops
