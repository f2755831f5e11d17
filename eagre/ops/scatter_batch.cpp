// Batches of writes to elements that are found by number or by a mask.
#include <algorithm>
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/from_start.h>
#include <eagre/ops/index_add.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/where.h>

namespace eagre::autograd::rules {

TensorBase add_at(const BatchCall& call, const TensorBase& input, const TensorBase& index,
                  const TensorBase& source, CallSite at) {
  const auto rows = [&](const TensorBase& tensor) {
    return ops::reshape(call.every(tensor), Dims({call.size(), tensor.numel()}), at);
  };
  const TensorBase sums =
      call.is_batched(index)
          ? ops::scatter_add(rows(input), 1, ops::from_start(rows(index), input.numel(), at),
                             rows(source), at)
          : ops::index_add(
                rows(input), 1,
                ops::from_start(ops::reshape(index, Dims({index.numel()}), at), input.numel(), at),
                rows(source), 1, at);
  return call.result(ops::reshape(sums, call.sized(input.sizes()), at));
}

TensorBase masked_fill(const BatchCall& call, const TensorBase& input, const TensorBase& mask,
                       const Operand& value, CallSite at) {
  const int64_t rank = std::max(input.dim(), mask.dim());
  const TensorBase given = call.padded(input, rank);
  const TensorBase chosen = call.padded(mask, rank);
  if (!value.is_tensor() || !call.is_batched(value.tensor())) {
    return call.result(ops::masked_fill(given, chosen, value, at));
  }
  dispatch::meta::filler("masked_fill", input.get(), value);
  const TensorBase values = ops::cast(call.padded(value.tensor(), rank), input.dtype(), at);
  return call.result(ops::where(chosen, values, given, at));
}

}  // namespace eagre::autograd::rules
