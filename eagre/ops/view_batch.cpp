// Batches of views whose arguments are more than dimensions to shift.
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/ops/expand.h>
#include <eagre/dispatch/ops/permute.h>
#include <eagre/dispatch/ops/squeeze_all.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/squeeze_dims.h>

namespace eagre::autograd::rules {

TensorBase expand(const BatchCall& call, const TensorBase& input, Dims size, CallSite at) {
  TensorBase view = dispatch::expand(input, size);
  const TensorBase batch = call.padded(input, view.dim());
  return batched_view(view, ops::expand(batch, call.sized(view.sizes()), at), call.level());
}

TensorBase permute(const BatchCall& call, const TensorBase& input, Dims dims, CallSite at) {
  TensorBase view = dispatch::permute(input, dims);
  const DimVector order = BatchCall::led_by(0, call.dims(dims, input));
  return batched_view(view, ops::permute(call.first(input), order, at), call.level());
}

TensorBase squeeze_all(const BatchCall& call, const TensorBase& input, CallSite at) {
  DimVector single;
  for (int64_t i = 0; i < input.dim(); ++i) {
    if (input.sizes()[static_cast<size_t>(i)] == 1) single.push_back(i + 1);
  }
  return batched_view(dispatch::squeeze_all(input),
                      ops::squeeze_dims(call.first(input), single, at), call.level());
}

}  // namespace eagre::autograd::rules
