// Batches of the products of all elements but one.
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/leave_one_out.h>
#include <eagre/ops/leave_one_out_grad.h>
#include <eagre/ops/reshape.h>

namespace eagre::autograd::rules {

TensorBase leave_one_out(const BatchCall& call, const TensorBase& input, const OptionalDims& dim,
                         double fill, CallSite at) {
  const DimVector shape = dispatch::meta::leave_one_out("leave_one_out", input.get(), dim);
  const TensorBase batch =
      ops::leave_one_out(call.along(input), Dims(call.dims(dim, input)), fill, at);
  return call.result(ops::reshape(batch, call.sized(shape), at));
}

TensorBase leave_one_out_grad(const BatchCall& call, const TensorBase& input, Dims size,
                              const OptionalDims& dim, CallSite at) {
  if (size.empty()) {  // a number has no others
    const TensorBase batch = ops::reshape(call.first(input), Dims({call.size(), 1, 1}), at);
    return call.result(
        ops::reshape(ops::leave_one_out_grad(batch, call.sized_along(size), Dims({1}), at),
                     call.sized(size), at));
  }
  DimVector along;
  if (dim.given() && !dim.values().empty()) {
    const auto rank = static_cast<int64_t>(size.size());
    for (const int64_t d : dim.values()) along.push_back(wrap_dim("prod", "dim", d, rank) + 1);
  } else {
    for (size_t i = 0; i < size.size(); ++i) along.push_back(static_cast<int64_t>(i) + 1);
  }
  return call.result(ops::leave_one_out_grad(call.first(input), call.sized(size), Dims(along), at));
}

}  // namespace eagre::autograd::rules
