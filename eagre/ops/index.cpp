// Reading by index, written with operators that take coordinates, and the gradients.
#include <cstdint>
#include <optional>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/operand.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/nonzero.h>
#include <eagre/ops/add_at.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/from_start.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/gather_grad.h>
#include <eagre/ops/gather_sparse.h>
#include <eagre/ops/index.h>
#include <eagre/ops/index_accumulate.h>
#include <eagre/ops/index_add.h>
#include <eagre/ops/index_coordinates.h>
#include <eagre/ops/index_grad.h>
#include <eagre/ops/index_select_grad.h>
#include <eagre/ops/index_tensors.h>
#include <eagre/ops/masked_select.h>
#include <eagre/ops/nonzero_tuple.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/take.h>
#include <eagre/ops/take_along_dim.h>
#include <eagre/ops/take_grad.h>
#include <eagre/ops/where.h>
#include <eagre/ops/where_method.h>
#include <eagre/ops/where_nonzero.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {

namespace {

// Is it a mask of the whole tensor, without a gradient that would show how it was read?
bool chooses_elements(const TensorBase& input, TensorList indices) {
  return indices.size() == 1 && indices[0].dtype() == kBool && input.dim() > 0 &&
         indices[0].sizes() == input.sizes() && !autograd::should_record(input);
}

}  // namespace

TensorBase index(const TensorBase& input, TensorList indices, CallSite at) {
  if (are_elsewhere(input, indices)) return index(input, beside(input, indices), at);
  if (!has_mask(indices)) return index_tensors(input, indices, at);
  const SiteScope scope(at);
  if (chooses_elements(input, indices)) {
    return take(input, dispatch::nonzero_places("index", indices[0]), at);
  }
  const Coordinates found("index", input, indices, at);
  return index_tensors(found.input, found.indices, at);
}

namespace {

TensorBase zeros_for(const TensorBase& g, Dims size, CallSite at) {
  return zeros(size, TensorOptions(g.dtype()).device(g.device()), at);
}

}  // namespace

TensorBase index_grad(const TensorBase& g, Dims size, TensorList indices, CallSite at) {
  return index_accumulate(zeros_for(g, size, at), indices, g, at);
}

TensorBase index_select_grad(const TensorBase& g, Dims size, int64_t dim, const TensorBase& index,
                             CallSite at) {
  return index_add(zeros_for(g, size, at), dim, index, g, 1, at);
}

TensorBase gather_grad(const TensorBase& g, Dims size, int64_t dim, const TensorBase& index,
                       CallSite at) {
  return scatter_add(zeros_for(g, size, at), dim, index, g, at);
}

TensorBase gather_sparse(const TensorBase& input, int64_t dim, const TensorBase& index, bool,
                         CallSite at) {
  return gather(input, dim, index, at);
}

TensorBase take_grad(const TensorBase& g, Dims size, const TensorBase& index, CallSite at) {
  return add_at(zeros_for(g, size, at), index, g, at);
}

TensorBase take_along_dim(const TensorBase& input, const TensorBase& indices,
                          std::optional<int64_t> dim, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "take_along_dim";
  EAGRE_CHECK(indices.dtype() == kInt64, kType, op,
              "(): dtype of indices should be Long (int64), but got one of ", indices.dtype());
  if (!dim) {
    constexpr int64_t kFlat[] = {-1};
    const Dims flat(kFlat);
    return gather(reshape(input, flat, at), 0, reshape(indices, flat, at), at);
  }
  const int64_t d = wrap_dim(op, "dim", *dim, input.dim());
  if (input.dim() != indices.dim()) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): input and indices should have the same number of dimensions, but got ",
                 input.dim(), " dimensions for input, and ", indices.dim(),
                 " dimensions for indices"));
  }
  if (input.dim() == 0) return gather(input, d, indices, at);
  const TensorBase places = from_start(indices, input.sizes()[d], at);
  DimVector from = input.sizes();
  DimVector wanted = indices.sizes();
  from[d] = wanted[d] = 1;
  const DimVector common = broadcast_shapes(op, from, wanted);
  from = wanted = common;
  from[d] = input.sizes()[d];
  wanted[d] = indices.sizes()[d];
  return gather(expand(input, from, at), d, expand(places, wanted, at), at);
}

TensorBase masked_select(const TensorBase& input, const TensorBase& mask, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(mask.dtype() == kBool, kType,
              "masked_select(): expected BoolTensor for mask: it only supports boolean masks, but "
              "got mask with dtype ",
              mask.dtype(), ". Hint: compare it with something, or use .to(bool)");
  const DimVector shape = broadcast_shapes("masked_select", input.sizes(), mask.sizes());
  const TensorBase places = dispatch::nonzero_places("masked_select", expand(mask, shape, at));
  return take(expand(input, shape, at), places, at);
}

TensorVector where_nonzero(const TensorBase& condition, CallSite at) {
  return nonzero_tuple(condition, true, at);
}

TensorBase where_method(const TensorBase& input, const TensorBase& condition, const Operand& other,
                        CallSite at) {
  return where(condition, input, other, at);
}

}  // namespace eagre::ops
