// Batches of affine.
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/affine.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/transpose.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::autograd::rules {

TensorBase affine(const BatchCall& call, const TensorBase& input, const TensorBase& weight,
                  const TensorBase& bias, CallSite at) {
  if (!call.is_batched(weight) && !call.is_batched(bias)) {
    return call.result(ops::affine(call.first(input), weight, bias, at));
  }
  // As one product per sample; the bias gets the rank of the result.
  const TensorBase columns = ops::transpose(call.every(weight), -2, -1, at);
  const bool is_vector = input.dim() == 1;
  TensorBase rows = call.every(input);
  if (is_vector) rows = ops::unsqueeze(rows, 1, at);
  int64_t count = 1;
  for (int64_t i = 1; i + 1 < rows.dim(); ++i) count *= rows.sizes()[static_cast<size_t>(i)];
  const DimVector flat({call.size(), count, rows.sizes().back()});
  TensorBase product = ops::matmul(ops::reshape(rows, flat, at), columns, at);
  product = ops::add(product, ops::unsqueeze(call.every(bias), 1, at), 1, at);
  DimVector sizes({call.size()});
  for (int64_t i = 0; i + 1 < input.dim(); ++i) {
    sizes.push_back(input.sizes()[static_cast<size_t>(i)]);
  }
  sizes.push_back(weight.sizes()[0]);
  return call.result(ops::reshape(product, sizes, at));
}

}  // namespace eagre::autograd::rules
