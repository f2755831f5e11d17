// Running hooks and checking what they return.
#include <eagre/autograd/hooks.h>

namespace eagre::autograd {
namespace {

void check_replacement(const Node& node, const TensorBase& before, const TensorBase& after) {
  const TensorImpl& a = before.get();
  const TensorImpl& b = after.get();
  if (a.key.dtype == b.key.dtype && a.key.device == b.key.device && a.sizes() == b.sizes()) return;
  raise(ErrorKind::kAutograd,
        concat("a hook on the gradient that enters ", node.name(), " returned a ", b.key.dtype,
               " tensor of shape ", b.sizes(), " on ", b.key.device, ", but the gradient is ",
               a.key.dtype, " of shape ", a.sizes(), " on ", a.key.device,
               ". Hint: return the same kind of tensor, or nothing"));
}

}  // namespace

void run_hooks(Node& node, uint16_t slot, TensorBase& gradient) {
  // A copy: hooks may add and remove hooks.
  const std::vector<NodeExtras::Registered> hooks = node.extras()->hooks;
  for (const auto& registered : hooks) {
    if (registered.slot != slot || !gradient.defined()) continue;
    TensorBase replacement = registered.hook->call(gradient);
    if (!replacement.defined()) continue;
    check_replacement(node, gradient, replacement);
    gradient = std::move(replacement);
  }
}

}  // namespace eagre::autograd
