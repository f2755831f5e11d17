// Indexing, written with operators that take vectors of coordinates.
#include <eagre/autograd/ops/add_at.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/copy.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/gather.h>
#include <eagre/autograd/ops/gather_grad.h>
#include <eagre/autograd/ops/index_add.h>
#include <eagre/autograd/ops/index_add_grad.h>
#include <eagre/autograd/ops/index_fill.h>
#include <eagre/autograd/ops/index_fill_tensor.h>
#include <eagre/autograd/ops/index_select.h>
#include <eagre/autograd/ops/index_select_grad.h>
#include <eagre/autograd/ops/masked_select.h>
#include <eagre/autograd/ops/nonzero.h>
#include <eagre/autograd/ops/nonzero_tuple.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/ops/scatter_add.h>
#include <eagre/autograd/ops/scatter_grad_src.h>
#include <eagre/autograd/ops/slice_grad.h>
#include <eagre/autograd/ops/take.h>
#include <eagre/autograd/ops/take_along_dim.h>
#include <eagre/autograd/ops/take_grad.h>
#include <eagre/autograd/ops/where.h>
#include <eagre/autograd/ops/where_nonzero.h>
#include <eagre/autograd/ops/zeros.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/dispatch/nonzero.h>

namespace eagre::ops {
namespace {

TensorBase zeros_for(const TensorBase& g, Dims size, CallSite at) {
  return zeros(size, TensorOptions(g.dtype()).device(g.device()), at);
}

}  // namespace

TensorBase index_select_grad(const TensorBase& g, Dims size, int64_t dim, const TensorBase& index,
                             CallSite at) {
  return index_add(zeros_for(g, size, at), dim, index, g, 1, at);
}

TensorBase gather_grad(const TensorBase& g, Dims size, int64_t dim, const TensorBase& index,
                       CallSite at) {
  return scatter_add(zeros_for(g, size, at), dim, index, g, at);
}

TensorBase scatter_grad_src(const TensorBase& g, int64_t dim, const TensorBase& index, Dims size,
                            CallSite at) {
  if (index.numel() == 0) return zeros_for(g, size, at);
  TensorBase result = gather(g, dim, index, at);
  for (size_t d = 0; d < size.size(); ++d) {
    if (result.sizes()[d] == size[d]) continue;
    DimVector wider = result.sizes();
    wider[d] = size[d];
    result = slice_grad(result, wider, static_cast<int64_t>(d), 0, 1, at);
  }
  return result;
}

TensorBase index_add_grad(const TensorBase& g, int64_t dim, const TensorBase& index,
                          const Scalar& alpha, CallSite at) {
  return scale(index_select(g, dim, index, at), alpha, at);
}

TensorBase take_grad(const TensorBase& g, Dims size, const TensorBase& index, CallSite at) {
  return add_at(zeros_for(g, size, at), index, g, at);
}

TensorBase index_fill_tensor(const TensorBase& input, int64_t dim, const TensorBase& index,
                             const TensorBase& value, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "index_fill";
  if (value.dim() != 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "value", "a number or a tensor without dimensions",
                          concat("a tensor of shape ", value.sizes())});
  }
  if (is_complex(value.dtype()) && !is_complex(input.dtype())) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "value", concat("a value that ", input.dtype(), " can hold"),
                          concat("a ", value.dtype(), " tensor")});
  }
  // Every row counts once in the gradient of `value`, however often `index` names it.
  const int64_t place = wrap_dim(op, "dim", dim, input.dim());
  DimVector shape(input.sizes());
  for (int64_t d = 0; d < input.dim(); ++d) {
    if (d != place) shape[static_cast<size_t>(d)] = 1;
  }
  const TensorBase none = zeros(shape, TensorOptions(kBool).device(input.device()), at);
  const TensorBase rows = index_fill(none, dim, index, true, at);
  return where(rows, cast(value, input.dtype(), at), input, at);
}

TensorBase take_along_dim(const TensorBase& input, const TensorBase& indices,
                          std::optional<int64_t> dim, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "take_along_dim";
  if (indices.dtype() != kInt64 && indices.dtype() != kInt32) {
    raise(ErrorKind::kType, ArgumentProblem{op, "indices", "a tensor of int64 or int32",
                                            concat("one of ", indices.dtype())});
  }
  if (!dim) {
    constexpr int64_t kFlat[] = {-1};
    const Dims flat(kFlat);
    return gather(reshape(input, flat, at), 0, reshape(indices, flat, at), at);
  }
  const int64_t d = wrap_dim(op, "dim", *dim, input.dim());
  if (input.dim() != indices.dim()) {
    raise(
        ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "indices", concat("as many dimensions as 'input' (", input.dim(), ")"),
                        concat("shape ", indices.sizes())});
  }
  if (input.dim() == 0) return gather(input, d, indices, at);
  DimVector from = input.sizes();
  DimVector wanted = indices.sizes();
  from[d] = wanted[d] = 1;
  const DimVector common = broadcast_shapes(op, from, wanted);
  from = wanted = common;
  from[d] = input.sizes()[d];
  wanted[d] = indices.sizes()[d];
  return gather(expand(input, from, at), d, expand(indices, wanted, at), at);
}

TensorBase masked_select(const TensorBase& input, const TensorBase& mask, CallSite at) {
  const SiteScope scope(at);
  if (mask.dtype() != kBool) {
    raise(ErrorKind::kType, ArgumentProblem{"masked_select", "mask", "a tensor of bool",
                                            concat("one of ", mask.dtype()),
                                            "compare it with something, or use .to(bool)"});
  }
  const DimVector shape = broadcast_shapes("masked_select", input.sizes(), mask.sizes());
  const TensorBase places = dispatch::nonzero_places("masked_select", expand(mask, shape, at));
  return take(expand(input, shape, at), places, at);
}

TensorBase nonzero(const TensorBase& input, std::false_type, CallSite at) {
  const SiteScope scope(at);
  return dispatch::nonzero("nonzero", input);
}

TensorVector where_nonzero(const TensorBase& condition, CallSite at) {
  return nonzero_tuple(condition, true, at);
}

TensorVector nonzero_tuple(const TensorBase& input, bool as_tuple, CallSite at) {
  const SiteScope scope(at);
  if (!as_tuple) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"nonzero", "as_tuple", "True", "False",
                          "leave it out for one tensor of coordinates"});
  }
  if (input.dim() != 0) return dispatch::nonzero_by_dimension("nonzero", input);
  return dispatch::nonzero_by_dimension("nonzero", expand(input, Dims({1}), at));
}

}  // namespace eagre::ops
