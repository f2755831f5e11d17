// Batches of operators that read by index.
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/batched_indices.h>
#include <eagre/ops/from_start.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/index_tensors.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/take.h>

namespace eagre::autograd::rules {

TensorBase index_select(const BatchCall& call, const TensorBase& input, int64_t dim,
                        const TensorBase& index, CallSite at) {
  if (!call.is_batched(index)) {
    return call.result_along(ops::index_select(call.along(input), call.dim(dim, input), index, at),
                             input);
  }
  const SpreadIndex spread(call, input, dim, index, at);
  return call.result_along(ops::gather(spread.input, spread.dim, spread.places, at), input);
}

TensorBase index_tensors(const BatchCall& call, const TensorBase& input, TensorList indices,
                         CallSite at) {
  const BatchedIndices batched(call, indices, call.is_batched(input), at);
  const TensorBase taken = ops::index_tensors(call.first(input), batched.indices(), at);
  return call.result(batched.to_samples(taken));
}

TensorBase take(const BatchCall& call, const TensorBase& input, const TensorBase& index,
                CallSite at) {
  if (!call.is_batched(input)) return call.result(ops::take(input, call.first(index), at));
  const DimVector flat({call.size(), input.numel()});
  const TensorBase rows = ops::reshape(call.first(input), flat, at);
  const bool is_each = call.is_batched(index);
  const TensorBase places = ops::from_start(is_each ? call.first(index) : index, input.numel(), at);
  const TensorBase taken =
      is_each
          ? ops::gather(rows, 1, ops::reshape(places, Dims({call.size(), index.numel()}), at), at)
          : ops::index_select(rows, 1, ops::reshape(places, Dims({index.numel()}), at), at);
  return call.result(ops::reshape(taken, call.sized(index.sizes()), at));
}

}  // namespace eagre::autograd::rules
