// The common device of a call: tensors that may be on another one, and the error for the rest.
#include <eagre/dispatch/devices.h>

#include <atomic>

#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::dispatch {
namespace {
bool may_join(const TensorImpl& tensor) {
  return tensor.key.device.is_cpu() && tensor.key.rank == 0;
}
}  // namespace

void raise_batched(const char* op) {
  raise(
      ErrorKind::kAutograd,
      concat(op,
             "(): vmap: a tensor that stands for all samples of a batch has no values of its own, "
             "and none at all after the vmap() that made it. Hint: inside, use operators instead "
             "of values (where() for a branch, sum() for a loop); return what is needed outside"));
}

void CommonDevice::settle(const TensorImpl& tensor, const char* argument) {
  if (may_join(tensor)) return;
  // With auto_transfer the accelerator that was named first wins, and the operator moves the rest.
  const bool moves = flags().auto_transfer.load(std::memory_order_relaxed) &&
                     !tensor.key.device.is_meta() && !first_->key.device.is_meta();
  if (may_join(*first_) || (moves && first_->key.device.is_cpu())) {
    first_ = &tensor;
    argument_ = argument;
    return;
  }
  if (moves) return;
  raise(
      ErrorKind::kInvalidArgument,
      ArgumentProblem{op_, argument,
                      concat("on the same device as '", argument_, "' (", first_->key.device, ")"),
                      concat("a tensor on ", tensor.key.device),
                      "move one of them with .to(device), or set the flag 'auto_transfer'"});
}

}  // namespace eagre::dispatch
