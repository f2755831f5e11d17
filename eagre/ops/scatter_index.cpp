// Writing by index: index_put, where masks become coordinates and values broadcast, and similar.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/index_accumulate.h>
#include <eagre/ops/index_add_grad.h>
#include <eagre/ops/index_clear.h>
#include <eagre/ops/index_coordinates.h>
#include <eagre/ops/index_fill.h>
#include <eagre/ops/index_fill_tensor.h>
#include <eagre/ops/index_put.h>
#include <eagre/ops/index_put_inplace.h>
#include <eagre/ops/index_reduce.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/index_set.h>
#include <eagre/ops/put.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scale.h>
#include <eagre/ops/scatter_reduce.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/where.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {
namespace {

TensorBase fitted(const TensorBase& input, TensorList indices, const TensorBase& values,
                  CallSite at) {
  if (values.dtype() != input.dtype()) {
    const DimVector shape = dispatch::meta::index_tensors("index_put", input.get(), indices);
    if (!is_expandable_to(values.sizes(), shape)) {  // what is wrong with shapes is said first
      dispatch::meta::index_set("index_put", input.get(), indices, values.get());
    }
    raise(ErrorKind::kType,
          concat("index_put(): Index put requires the source and destination dtypes match, got ",
                 input.dtype(), " for the destination and ", values.dtype(),
                 " for the source. Hint: convert it with .to(dtype)"));
  }
  if (values.numel() == 1) return values;
  const DimVector shape = dispatch::meta::index_tensors("index_put", input.get(), indices);
  if (values.sizes() == Dims(shape) || !is_expandable_to(values.sizes(), shape)) return values;
  return expand(values, shape, at);
}

void check_any(TensorList indices) {
  EAGRE_CHECK(!indices.empty(), kInvalidArgument,
              "index_put(): argument 'indices' must name at least one dimension, but got an empty "
              "list. Hint: fill_() and copy_() write the whole tensor");
}

// x[mask] = value means masked_fill_(): the value is converted, and the mask is of bool.
TensorBase filling(const TensorBase& input, TensorList indices, const TensorBase& values,
                   bool accumulate, CallSite at) {
  if (accumulate || values.numel() != 1) return values;
  const TensorBase* mask = nullptr;
  for (const TensorBase& index : indices) {
    if (!index.defined()) continue;
    if (!is_mask(index) || mask != nullptr) return values;
    mask = &index;
  }
  if (mask == nullptr) return values;
  EAGRE_CHECK(mask->dtype() == kBool || mask->dim() == 0, kInvalidArgument,
              "index_put(): masked_fill_ only supports boolean masks, but got mask with dtype ",
              mask->dtype(), ". Hint: compare it with something, or use .to(bool)");
  if (values.dtype() == input.dtype()) return values;
  const TensorBase single = reshape(values, {}, at);
  dispatch::meta::filler("index_put", input.get(), single);
  return cast(single, input.dtype(), at);
}

void put(const TensorBase& input, TensorList indices, const TensorBase& values, bool accumulate,
         CallSite at) {
  const SiteScope scope(at);
  check_any(indices);
  const TensorBase ready = fitted(input, indices, values, at);
  if (accumulate) return index_accumulate_(input, indices, ready, at);
  index_set_(input, indices, ready, at);
}

}  // namespace

TensorBase index_clear(const TensorBase& input, TensorList indices, CallSite at) {
  const TensorOptions options = TensorOptions(input.dtype()).device(input.device());
  return index_set(input, indices, zeros({}, options, at), at);
}

TensorBase index_put(const TensorBase& input, TensorList indices, const TensorBase& values,
                     bool accumulate, CallSite at) {
  if (are_elsewhere(input, indices)) {
    return index_put(input, beside(input, indices), values, accumulate, at);
  }
  const SiteScope scope(at);
  check_any(indices);
  const TensorBase filler = filling(input, indices, values, accumulate, at);
  const Coordinates found("index_put", input, indices, at);
  const TensorBase ready = fitted(found.input, found.indices, filler, at);
  TensorBase result = accumulate ? index_accumulate(found.input, found.indices, ready, at)
                                 : index_set(found.input, found.indices, ready, at);
  // Dimensions that single bools added.
  for (int64_t more = found.input.dim() - input.dim(); more > 0; --more) {
    for (int64_t d = 0; d < result.dim(); ++d) {
      if (d < input.dim() && result.sizes()[d] == input.sizes()[d]) continue;
      result = squeeze(result, d, at);
      break;
    }
  }
  return result;
}

void index_put_inplace_(const TensorBase& input, TensorList indices, const TensorBase& values,
                        bool accumulate, CallSite at) {
  if (are_elsewhere(input, indices)) {
    return index_put_inplace_(input, beside(input, indices), values, accumulate, at);
  }
  if (!has_mask(indices)) return put(input, indices, values, accumulate, at);
  const SiteScope scope(at);
  {
    const TensorBase filler = filling(input, indices, values, accumulate, at);
    const Coordinates found("index_put", input, indices, at);
    if (found.input.is_same(input)) return put(input, found.indices, filler, accumulate, at);
  }
  // A single bool: what is written to is not the tensor itself, which must get the history.
  const TensorBase result = index_put(input, indices, values, accumulate, at);
  autograd::assign_result("index_put_", input, result, at);
}

TensorBase index_fill_tensor(const TensorBase& input, int64_t dim, const TensorBase& index,
                             const TensorBase& value, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "index_fill";
  if (value.dim() != 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "value", "a number or a tensor without dimensions",
                          concat("a tensor of shape ", value.sizes())});
  }
  if (is_complex(value.dtype()) && !is_complex(input.dtype())) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "value", concat("a value that ", input.dtype(), " can hold"),
                          concat("a ", value.dtype(), " tensor")});
  }
  // Every row counts once in the gradient of `value`, however often `index` names it.
  const int64_t place = wrap_dim(op, "dim", dim, input.dim());
  DimVector shape(input.sizes());
  for (int64_t d = 0; d < input.dim(); ++d) {
    if (d != place) shape[static_cast<size_t>(d)] = 1;
  }
  const TensorBase none = zeros(shape, TensorOptions(kBool).device(input.device()), at);
  const TensorBase rows = index_fill(none, dim, index, true, at);
  return where(rows, cast(value, input.dtype(), at), input, at);
}

TensorBase index_add_grad(const TensorBase& g, int64_t dim, const TensorBase& index,
                          const Scalar& alpha, CallSite at) {
  return scale(index_select(g, dim, index, at), alpha, at);
}

TensorBase index_reduce(const TensorBase& input, int64_t dim, const TensorBase& index,
                        const TensorBase& source, std::string_view reduce, bool include_self,
                        CallSite at) {
  const SiteScope scope(at);
  const char* const op = "index_reduce";
  if (reduce != "prod" && reduce != "mean" && reduce != "amax" && reduce != "amin") {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "reduce", "'prod', 'mean', 'amax' or 'amin'",
                          concat("'", reduce, "'")});
  }
  if (input.dim() == 0) {
    const TensorBase row = reshape(source, Dims({source.numel()}), at);
    const TensorBase result =
        index_reduce(unsqueeze(input, 0, at), 0, index, row, reduce, include_self, at);
    return squeeze(result, 0, at);
  }
  dispatch::meta::index_add(op, input.get(op, "input"), dim, index.get(op, "index"),
                            source.get(op, "source"));
  EAGRE_CHECK(input.dtype() == source.dtype(), kType, op,
              "(): argument 'source' must be of the dtype of 'input', ", input.dtype(),
              ", but got ", source.dtype());
  const int64_t d = wrap_dim(op, "dim", dim, input.dim());
  DimVector narrow(static_cast<size_t>(input.dim()), 1);
  narrow[static_cast<size_t>(d)] = index.numel();
  const TensorBase places = expand(reshape(index, narrow, at), source.sizes(), at);
  return scatter_reduce(input, d, places, source, reduce, include_self, at);
}

TensorBase put(const TensorBase& input, const TensorBase& index, const TensorBase& source,
               bool accumulate, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(index.get("put", "index").key.dtype == kInt64, kInvalidArgument,
              "put(): argument 'index' must be of int64, but got ", index.dtype());
  EAGRE_CHECK(source.get("put", "source").key.dtype == input.dtype(), kInvalidArgument,
              "put(): argument 'source' must be of the dtype of 'input', ", input.dtype(),
              ", but got ", source.dtype());
  EAGRE_CHECK(index.numel() == source.numel(), kIndex,
              "put(): argument 'source' must have as many elements as 'index', ", index.numel(),
              ", but got ", source.numel());
  const TensorBase flat = reshape(input, Dims({input.numel()}), at);
  const TensorBase places = reshape(index, Dims({index.numel()}), at);
  const TensorBase values = reshape(source, Dims({source.numel()}), at);
  const TensorBase indices[] = {places};
  return reshape(index_put(flat, indices, values, accumulate, at), input.sizes(), at);
}

}  // namespace eagre::ops
