// Distances and angles between vectors.
#include <cstdint>
#include <string>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/promotion.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/cosine_similarity.h>
#include <eagre/ops/div.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/linalg_vector_norm.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/norm.h>
#include <eagre/ops/normalize.h>
#include <eagre/ops/normalize_dims.h>
#include <eagre/ops/pairwise_distance.h>
#include <eagre/ops/pdist.h>
#include <eagre/ops/select.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/triu_indices.h>

namespace eagre::ops {

TensorBase cosine_similarity(const TensorBase& x1, const TensorBase& x2, int64_t dim, double eps,
                             CallSite at) {
  constexpr const char* kOp = "cosine_similarity";
  const SiteScope scope(at);
  const DType dtype = result_type(x1, x2);
  EAGRE_CHECK(is_floating_point(dtype), kInvalidArgument, kOp,
              "(): expected common dtype to be floating point, yet common dtype is ", dtype,
              ": argument 'x1' is of ", x1.dtype(), ", 'x2' of ", x2.dtype());
  if (!(eps >= 0)) invalid_argument(kOp, "eps", "a number that is not negative", concat(eps));
  const DimVector sizes = broadcast_shapes(kOp, x1.sizes(), x2.sizes());
  const int64_t along = wrap_dim(kOp, "dim", dim, static_cast<int64_t>(sizes.size()));
  const auto unit = [&](const TensorBase& x) {
    TensorBase vectors = x.dtype() == dtype ? x : cast(x, dtype, at);
    if (x.sizes() != Dims(sizes)) vectors = expand(vectors, sizes, at);
    const TensorBase length = linalg_vector_norm(vectors, 2, Dims({along}), true, {}, at);
    return div(vectors, clamp_min(length, eps, at), at);
  };
  return sum(mul(unit(x1), unit(x2), at), Dims({along}), false, {}, at);
}

TensorBase pairwise_distance(const TensorBase& x1, const TensorBase& x2, double p, double eps,
                             bool keepdim, CallSite at) {
  const SiteScope scope(at);
  const TensorBase difference = add(sub(x1, x2, 1, at), eps, 1, at);
  return norm(difference, p, Dims({-1}), keepdim, {}, at);
}

TensorBase pdist(const TensorBase& input, double p, CallSite at) {
  const SiteScope scope(at);
  if (input.dim() != 2) {
    invalid_argument("pdist", "input", "a matrix (2 dimensions)", shape_text(input));
  }
  EAGRE_CHECK(is_floating_point(input.dtype()), kInvalidArgument,
              "pdist(): only supports floating-point dtypes, but argument 'input' is of ",
              input.dtype());
  if (!(p >= 0)) invalid_argument("pdist", "p", "a number that is not negative", concat(p));
  const int64_t rows = input.sizes()[0];
  const TensorBase pairs =
      triu_indices(rows, rows, 1, TensorOptions(kInt64).device(input.device()), at);
  const TensorBase left = index_select(input, 0, select(pairs, 0, 0, at), at);
  const TensorBase right = index_select(input, 0, select(pairs, 0, 1, at), at);
  return norm(sub(left, right, 1, at), p, Dims({1}), false, {}, at);
}

TensorBase normalize(const TensorBase& input, double p, int64_t dim, double eps, CallSite at) {
  return normalize_dims(input, p, Dims(dim), eps, at);
}

TensorBase normalize_dims(const TensorBase& input, double p, Dims dim, double eps, CallSite at) {
  const SiteScope scope(at);
  const TensorBase length = linalg_vector_norm(input, p, dim, true, {}, at);
  return div(input, clamp_min(length, eps, at), at);
}

}  // namespace eagre::ops
