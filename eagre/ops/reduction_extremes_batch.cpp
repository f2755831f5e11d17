// Batches of argmax and argmin.
#include <cstddef>
#include <cstdint>
#include <optional>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/argmax.h>
#include <eagre/ops/argmin.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/reshape.h>

namespace eagre::autograd::rules {
namespace {

// Without a dimension, the place among all elements of a sample.
template <class Find>
TensorBase found(const BatchCall& call, const TensorBase& input, std::optional<int64_t> dim,
                 bool keepdim, CallSite at, Find find) {
  const TensorBase batch = call.along(input);
  if (dim) return call.result_along(find(batch, call.dim(*dim, input)), input);
  const TensorBase places = find(ops::reshape(batch, Dims({call.size(), -1}), at), 1);
  const DimVector ones(keepdim ? static_cast<size_t>(input.dim()) : 0, 1);
  return call.result(ops::reshape(places, call.sized(ones), at));
}

}  // namespace

TensorBase argmax(const BatchCall& call, const TensorBase& input, std::optional<int64_t> dim,
                  bool keepdim, CallSite at) {
  return found(call, input, dim, keepdim, at, [&](const TensorBase& batch, int64_t along) {
    return ops::argmax(batch, along, keepdim && dim, at);
  });
}

TensorBase argmin(const BatchCall& call, const TensorBase& input, std::optional<int64_t> dim,
                  bool keepdim, CallSite at) {
  return found(call, input, dim, keepdim, at, [&](const TensorBase& batch, int64_t along) {
    return ops::argmin(batch, along, keepdim && dim, at);
  });
}

}  // namespace eagre::autograd::rules
