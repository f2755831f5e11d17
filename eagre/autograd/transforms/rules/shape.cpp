// Batches of views and copies whose arguments are more than dimensions to shift.
#include <eagre/autograd/ops/as_strided.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/permute.h>
#include <eagre/autograd/ops/repeat.h>
#include <eagre/autograd/ops/repeat_to.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/roll_back.h>
#include <eagre/autograd/ops/roll_elements.h>
#include <eagre/autograd/ops/squeeze_dims.h>
#include <eagre/autograd/ops/sum_repeated.h>
#include <eagre/autograd/transforms/rules.h>
#include <eagre/dispatch/ops/as_strided.h>
#include <eagre/dispatch/ops/expand.h>
#include <eagre/dispatch/ops/permute.h>
#include <eagre/dispatch/ops/squeeze_all.h>

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

TensorBase as_strided(const BatchCall& call, const TensorBase& input, Dims size, Dims stride,
                      std::optional<int64_t> storage_offset, CallSite at) {
  TensorBase view = dispatch::as_strided(input, size, stride, storage_offset);
  const TensorBase batch = call.first(input);
  const DimVector strides = BatchCall::led_by(batch.strides()[0], stride);
  return batched_view(view, ops::as_strided(batch, call.sized(size), strides, storage_offset, at),
                      call.level());
}

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
  if (dims.given() && dims.values().size() != 0 && input.dim() != 0) {
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
