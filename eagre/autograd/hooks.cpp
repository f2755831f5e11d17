// Running hooks and checking what they return.
#include <eagre/autograd/hooks.h>

#include <mutex>

#include <eagre/base/fork.h>

namespace eagre::autograd {
namespace {

// One for all lists: few nodes have hooks, and a lock per list would not survive fork().
ForkMutex& hooks_lock() {
  static ForkMutex& instance = *new ForkMutex;
  return instance;
}
const MadeAtLoad kHooksLockAtLoad(hooks_lock);

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

uint64_t HookList::add(uint16_t slot, std::unique_ptr<TensorHook> hook) {
  std::lock_guard lock(hooks_lock());
  hooks_.push_back({next_id_, slot, std::move(hook)});
  return next_id_++;
}

bool HookList::remove(uint64_t id) {
  std::shared_ptr<TensorHook> removed;  // dies after the lock: its end may run user code
  std::lock_guard lock(hooks_lock());
  for (size_t i = 0; i < hooks_.size(); ++i) {
    if (hooks_[i].id != id) continue;
    removed = std::move(hooks_[i].hook);
    hooks_.erase(hooks_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

std::vector<HookList::Registered> HookList::copy() const {
  std::lock_guard lock(hooks_lock());
  return hooks_;
}

void run_hooks(Node& node, Span<TensorBase> gradients) {
  // A copy: hooks may add and remove hooks.
  for (const auto& registered : node.extras()->hooks.copy()) {
    TensorBase& gradient = gradients[registered.slot];
    if (!gradient.defined()) continue;
    TensorBase replacement = registered.hook->call(gradient);
    if (!replacement.defined()) continue;
    check_replacement(node, gradient, replacement);
    gradient = std::move(replacement);
  }
}

}  // namespace eagre::autograd
