// Adding gradients to leaves: steal the buffer when nobody else has it, else add in place, else
// make a new tensor (when the gradient itself is being recorded).
#include <eagre/autograd/accumulate.h>

#include <memory>
#include <utility>

#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/spin_lock.h>
#include <eagre/dispatch/ops/add.h>
#include <eagre/dispatch/ops/clone.h>

namespace eagre::autograd {

namespace {

// The gradient of a leaf that has none yet.
TensorBase first_gradient(TensorBase& incoming) {
  const TensorImpl& impl = incoming.get();
  if (GradMode::is_enabled()) {
    // What the caller handed in must not become visible through .grad.
    return impl.is_sole_owner() ? std::move(incoming) : ops::clone(incoming, CallSite::none());
  }
  const bool steals = impl.is_sole_owner() && impl.grad_node == nullptr;
  return steals ? std::move(incoming) : dispatch::clone(incoming);
}

void add_to(TensorBase& grad, const TensorBase& incoming) {
  if (GradMode::is_enabled()) {
    grad = ops::add(grad, incoming, 1, CallSite::none());
    return;
  }
  dispatch::add_(grad, incoming, 1);
  grad.get().version->bump("backward", 0);
}

}  // namespace

TensorBase AutogradMeta::take_grad() {
  SpinLock hold(lock);
  return std::move(grad);
}

bool AutogradMeta::put_grad(TensorBase& fresh, TensorBase& found) {
  SpinLock hold(lock);
  found = std::move(grad);
  if (found.defined()) return false;
  grad = std::move(fresh);
  return true;
}

// The lock is not held while operators run: they may warn, and so run user code. Instead the
// gradient is taken out, added to, and put back; what another thread put there meanwhile is added.
void AccumulateNode::apply(BackwardCall& call) {
  TensorBase& incoming = call.grad(0);
  if (!incoming.defined()) return;
  auto& meta = *static_cast<AutogradMeta*>(leaf_->autograd.load(std::memory_order_acquire));
  TensorBase grad = meta.take_grad();
  TensorBase found;
  try {
    if (grad.defined()) {
      add_to(grad, incoming);
    } else {
      grad = first_gradient(incoming);
    }
    while (!meta.put_grad(grad, found)) add_to(grad, found);
  } catch (...) {
    meta.put_grad(grad, found);  // what the leaf had before
    throw;
  }
}

AutogradMeta& make_autograd_meta(TensorImpl& impl) {
  auto fresh = std::make_unique<AutogradMeta>(impl);
  Releasable* current = nullptr;
  if (impl.autograd.compare_exchange_strong(current, fresh.get(), std::memory_order_acq_rel)) {
    return *fresh.release();
  }
  return *static_cast<AutogradMeta*>(current);  // another thread was faster
}

TensorBase grad_of(const TensorBase& tensor) {
  auto* meta = static_cast<AutogradMeta*>(tensor.get().autograd.load(std::memory_order_acquire));
  if (meta == nullptr) return {};
  SpinLock lock(meta->lock);
  return meta->grad;
}

void set_grad(const TensorBase& tensor, TensorBase grad) {
  const TensorImpl& impl = tensor.get();
  if (grad.defined()) {
    const TensorImpl& given = grad.get();
    const auto check = [](bool fits, const char* what, const auto& wanted, const auto& got) {
      EAGRE_CHECK(fits, kInvalidArgument, "assigned grad has ", what, " ", got,
                  ", but the tensor has ", what, " ", wanted);
    };
    EAGRE_CHECK(&given != &impl, kInvalidArgument, "a tensor cannot be its own grad");
    check(given.key.dtype == impl.key.dtype, "dtype", impl.key.dtype, given.key.dtype);
    check(given.key.device == impl.key.device, "device", impl.key.device, given.key.device);
    check(given.sizes() == impl.sizes(), "shape", impl.sizes(), given.sizes());
  }
  AutogradMeta& meta = autograd_meta(tensor.get());
  SpinLock lock(meta.lock);
  std::swap(meta.grad, grad);  // the old one dies after the lock
}

void set_requires_grad(const TensorBase& tensor, bool requires_grad) {
  TensorImpl& impl = tensor.get();
  if (requires_grad) {
    EAGRE_CHECK(is_floating_point(impl.key.dtype), kInvalidArgument,
                "only tensors of floating-point dtype can require gradients, but this one is ",
                impl.key.dtype);
    if (impl.grad_node != nullptr) return;
    autograd_meta(impl);  // now, so that recording need not ask
    impl.flags |= TensorImpl::kRequiresGrad;
    return;
  }
  EAGRE_CHECK(impl.grad_node == nullptr, kInvalidArgument,
              "you can only change requires_grad of leaf tensors, and this one is the result of an "
              "operator. Hint: use detach() for a tensor without history");
  impl.flags &= static_cast<uint16_t>(~TensorImpl::kRequiresGrad);
}

TensorBase detach(const TensorBase& tensor) { return TensorBase::adopt(new_alias(tensor.get())); }

}  // namespace eagre::autograd
