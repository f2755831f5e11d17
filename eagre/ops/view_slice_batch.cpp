// Batches of views and sums by strides.
#include <cstddef>
#include <cstdint>
#include <optional>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/ops/as_strided.h>
#include <eagre/ops/as_strided.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/gather_strided.h>
#include <eagre/ops/sum_strided.h>

namespace eagre::autograd::rules {

TensorBase as_strided(const BatchCall& call, const TensorBase& input, Dims size, Dims stride,
                      std::optional<int64_t> storage_offset, CallSite at) {
  TensorBase view = dispatch::as_strided(input, size, stride, storage_offset);
  const TensorBase batch = call.first(input);
  const DimVector strides = BatchCall::led_by(batch.strides()[0], stride);
  return batched_view(view, ops::as_strided(batch, call.sized(size), strides, storage_offset, at),
                      call.level());
}

TensorBase gather_strided(const BatchCall& call, const TensorBase& input, Dims size, Dims stride,
                          int64_t offset, CallSite at) {
  const DimVector strides = BatchCall::led_by(input.numel(), stride);
  return call.result(ops::gather_strided(call.first(input), call.sized(size), strides, offset, at));
}

TensorBase sum_strided(const BatchCall& call, const TensorBase& input, Dims shape, Dims stride,
                       int64_t offset, CallSite at) {
  int64_t numel = 1, last = offset;
  for (const int64_t size : shape) numel *= size;
  for (size_t i = 0; i < stride.size(); ++i) last += (input.sizes()[i] - 1) * stride[i];
  if (last >= numel) {  // what lies beyond a sample is dropped, and must not come to the next
    return call.loop([&](int64_t n) {
      return ops::sum_strided(call.sample(input, n), shape, stride, offset, at);
    });
  }
  const DimVector strides = BatchCall::led_by(numel, stride);
  return call.result(ops::sum_strided(call.first(input), call.sized(shape), strides, offset, at));
}

}  // namespace eagre::autograd::rules
