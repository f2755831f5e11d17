// Batches of cat and stack.
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/cat_tensors.h>
#include <eagre/ops/stack_tensors.h>

namespace eagre::autograd::rules {

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

TensorBase stack_tensors(const BatchCall& call, TensorList tensors, int64_t dim, CallSite at) {
  const int64_t place = dim < 0 ? dim + tensors[0].dim() + 1 : dim;
  return call.result(ops::stack_tensors(call.every(tensors), place + 1, at));
}

}  // namespace eagre::autograd::rules
