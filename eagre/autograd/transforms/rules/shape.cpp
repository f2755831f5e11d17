// Batches of views and copies whose arguments are more than dimensions to shift.
#include <eagre/autograd/ops/as_strided.h>
#include <eagre/autograd/ops/cat_tensors.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/gather_others.h>
#include <eagre/autograd/ops/gather_strided.h>
#include <eagre/autograd/ops/permute.h>
#include <eagre/autograd/ops/repeat.h>
#include <eagre/autograd/ops/repeat_to.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/roll_back.h>
#include <eagre/autograd/ops/roll_elements.h>
#include <eagre/autograd/ops/spread_others.h>
#include <eagre/autograd/ops/squeeze_dims.h>
#include <eagre/autograd/ops/sum_repeated.h>
#include <eagre/autograd/ops/sum_strided.h>
#include <eagre/autograd/transforms/rules.h>
#include <eagre/dispatch/meta/meta.h>
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

// Vectors without elements fit to everything and are left out.
TensorBase cat_tensors(const BatchCall& call, TensorList tensors, int64_t dim, CallSite at) {
  const auto is_nothing = [](const TensorBase& tensor) {
    return tensor.dim() == 1 && tensor.numel() == 0;
  };
  const TensorBase* model = &tensors[0];
  for (const TensorBase& tensor : tensors) {
    if (!is_nothing(tensor)) model = &tensor;
  }
  TensorVector batches;
  for (const TensorBase& tensor : tensors) {
    if (!is_nothing(tensor) || is_nothing(*model)) batches.push_back(call.every(tensor));
  }
  return call.result(ops::cat_tensors(batches, call.dim(dim, *model), at));
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

TensorBase spread_others(const BatchCall& call, const TensorBase& input, const OptionalDims& dim,
                         double fill, CallSite at) {
  const DimVector shape = dispatch::meta::spread_others("spread_others", input.get(), dim);
  const TensorBase batch =
      ops::spread_others(call.along(input), Dims(call.dims(dim, input)), fill, at);
  return call.result(ops::reshape(batch, call.sized(shape), at));
}

TensorBase gather_others(const BatchCall& call, const TensorBase& input, Dims size,
                         const OptionalDims& dim, CallSite at) {
  if (size.empty()) {  // a number has no others
    const TensorBase batch = ops::reshape(call.first(input), Dims({call.size(), 1, 1}), at);
    return call.result(ops::reshape(
        ops::gather_others(batch, call.sized_along(size), Dims({1}), at), call.sized(size), at));
  }
  DimVector along;
  if (dim.given() && !dim.values().empty()) {
    const auto rank = static_cast<int64_t>(size.size());
    for (const int64_t d : dim.values()) along.push_back(wrap_dim("prod", "dim", d, rank) + 1);
  } else {
    for (size_t i = 0; i < size.size(); ++i) along.push_back(static_cast<int64_t>(i) + 1);
  }
  return call.result(ops::gather_others(call.first(input), call.sized(size), Dims(along), at));
}

}  // namespace eagre::autograd::rules
