// Mixed devices: who may join, and the error for the rest.
#include <eagre/dispatch/devices.h>

namespace eagre::dispatch {
namespace {
bool may_join(const TensorImpl& tensor) {
  return tensor.key.device.is_cpu() && tensor.key.rank == 0;
}
}  // namespace

void CommonDevice::settle(const TensorImpl& tensor, const char* argument) {
  if (may_join(tensor)) return;
  if (may_join(*first_)) {
    first_ = &tensor;
    argument_ = argument;
    return;
  }
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{
            op_, argument,
            concat("on the same device as '", argument_, "' (", first_->key.device, ")"),
            concat("a tensor on ", tensor.key.device), "move one of them with .to(device)"});
}

}  // namespace eagre::dispatch
