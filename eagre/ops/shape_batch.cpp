// Batches of repeated and rolled tensors.
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/repeat.h>
#include <eagre/ops/repeat_to.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/roll_back.h>
#include <eagre/ops/roll_elements.h>
#include <eagre/ops/sum_repeated.h>

namespace eagre::autograd::rules {

TensorBase repeat(const BatchCall& call, const TensorBase& input, Dims repeats, CallSite at) {
  const TensorBase batch = call.padded(input, static_cast<int64_t>(repeats.size()));
  return call.result(ops::repeat(batch, BatchCall::led_by(1, repeats), at));
}

TensorBase repeat_to(const BatchCall& call, const TensorBase& input, Dims size, CallSite at) {
  const TensorBase batch = call.padded(input, static_cast<int64_t>(size.size()));
  return call.result(ops::repeat_to(batch, call.sized(size), at));
}

TensorBase sum_repeated(const BatchCall& call, const TensorBase& input, Dims size, CallSite at) {
  DimVector padded({call.size()});
  for (auto i = static_cast<int64_t>(size.size()); i < input.dim(); ++i) padded.push_back(1);
  for (const int64_t each : size) padded.push_back(each);
  const TensorBase sums = ops::sum_repeated(call.first(input), padded, at);
  return call.result(ops::reshape(sums, call.sized(size), at));
}

namespace {

// Without dimensions, all elements of a sample roll as if in one row.
template <class Roll>
TensorBase rolled(const BatchCall& call, const TensorBase& input, const OptionalDims& dims,
                  CallSite at, Roll roll) {
  const TensorBase batch = call.first(input);
  if (dims.given() && !dims.values().empty() && input.dim() != 0) {
    return call.result(roll(batch, call.dims(dims.values(), input)));
  }
  const TensorBase rows = ops::reshape(batch, Dims({call.size(), -1}), at);
  return call.result(ops::reshape(roll(rows, DimVector({1})), call.sized(input.sizes()), at));
}

}  // namespace

TensorBase roll_elements(const BatchCall& call, const TensorBase& input, const OptionalDims& shifts,
                         const OptionalDims& dims, CallSite at) {
  return rolled(call, input, dims, at, [&](const TensorBase& batch, const DimVector& along) {
    return ops::roll_elements(batch, shifts, Dims(along), at);
  });
}

TensorBase roll_back(const BatchCall& call, const TensorBase& input, const OptionalDims& shifts,
                     const OptionalDims& dims, CallSite at) {
  return rolled(call, input, dims, at, [&](const TensorBase& batch, const DimVector& along) {
    return ops::roll_back(batch, shifts, Dims(along), at);
  });
}

}  // namespace eagre::autograd::rules
