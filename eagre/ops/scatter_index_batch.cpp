// Batches of writes to rows or coordinates.
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/batched_indices.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/from_start.h>
#include <eagre/ops/index_accumulate.h>
#include <eagre/ops/index_add.h>
#include <eagre/ops/index_copy.h>
#include <eagre/ops/index_fill.h>
#include <eagre/ops/index_set.h>
#include <eagre/ops/scale.h>
#include <eagre/ops/scatter.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/scatter_value.h>

namespace eagre::autograd::rules {

TensorBase index_add(const BatchCall& call, const TensorBase& input, int64_t dim,
                     const TensorBase& index, const TensorBase& source, const Scalar& alpha,
                     CallSite at) {
  const TensorBase added = call.along(source);
  if (!call.is_batched(index)) {
    return call.result_along(
        ops::index_add(call.along(input), call.dim(dim, input), index, added, alpha, at), input);
  }
  const SpreadIndex spread(call, input, dim, index, at);
  return call.result_along(
      ops::scatter_add(spread.input, spread.dim, spread.places,
                       ops::cast(ops::scale(added, alpha, at), added.dtype(), at), at),
      input);
}

TensorBase index_copy(const BatchCall& call, const TensorBase& input, int64_t dim,
                      const TensorBase& index, const TensorBase& source, CallSite at) {
  const TensorBase written = call.along(source);
  if (!call.is_batched(index)) {
    return call.result_along(
        ops::index_copy(call.along(input), call.dim(dim, input), index, written, at), input);
  }
  const SpreadIndex spread(call, input, dim, index, at);
  return call.result_along(ops::scatter(spread.input, spread.dim, spread.places, written, at),
                           input);
}

TensorBase index_fill(const BatchCall& call, const TensorBase& input, int64_t dim,
                      const TensorBase& index, const Scalar& value, CallSite at) {
  if (!call.is_batched(index)) {
    return call.result_along(
        ops::index_fill(call.along(input), call.dim(dim, input), index, value, at), input);
  }
  const SpreadIndex spread(call, input, dim, index, at);
  const int64_t size = spread.input.sizes()[static_cast<size_t>(spread.dim)];
  const TensorBase places = ops::from_start(spread.places, size, at);
  return call.result_along(ops::scatter_value(spread.input, spread.dim, places, value, at), input);
}

namespace {

using Write = TensorBase (*)(const TensorBase&, TensorList, const TensorBase&, CallSite);

TensorBase written(const BatchCall& call, const TensorBase& input, TensorList indices,
                   const TensorBase& values, Write write, CallSite at) {
  const BatchedIndices batched(call, indices, true, at);
  const DimVector shape = dispatch::meta::index_tensors("index_put", input.get(), indices);
  const TensorBase whole = call.padded(values, static_cast<int64_t>(shape.size()));
  const TensorBase fitted = batched.from_samples(ops::expand(whole, call.sized(shape), at));
  return call.result(write(call.every(input), batched.indices(), fitted, at));
}

}  // namespace

TensorBase index_set(const BatchCall& call, const TensorBase& input, TensorList indices,
                     const TensorBase& values, CallSite at) {
  return written(call, input, indices, values, ops::index_set, at);
}

TensorBase index_accumulate(const BatchCall& call, const TensorBase& input, TensorList indices,
                            const TensorBase& values, CallSite at) {
  return written(call, input, indices, values, ops::index_accumulate, at);
}

}  // namespace eagre::autograd::rules
