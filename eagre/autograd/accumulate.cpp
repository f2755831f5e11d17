// Adding gradients to leaves: steal the buffer when nobody else has it, else add in place, else
// make a new tensor (when the gradient itself is being recorded).
#include <eagre/autograd/accumulate.h>

#include <memory>

#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/spin_lock.h>
#include <eagre/dispatch/ops/add.h>
#include <eagre/dispatch/ops/clone.h>

namespace eagre::autograd {

void AccumulateNode::apply(BackwardCall& call) {
  TensorBase& incoming = call.grad(0);
  if (!incoming.defined()) return;
  auto& meta = *static_cast<AutogradMeta*>(leaf_->autograd.load(std::memory_order_acquire));
  SpinLock lock(meta.lock);
  const CallSite site = CallSite::none();
  if (!meta.grad.defined()) {
    const TensorImpl& impl = incoming.get();
    if (GradMode::is_enabled()) {
      // What the caller handed in must not become visible through .grad.
      meta.grad = impl.is_sole_owner() ? std::move(incoming) : ops::clone(incoming, site);
    } else {
      const bool steals = impl.is_sole_owner() && impl.grad_node == nullptr;
      meta.grad = steals ? std::move(incoming) : dispatch::clone(incoming);
    }
  } else if (GradMode::is_enabled()) {
    meta.grad = ops::add(meta.grad, incoming, 1, site);
  } else {
    dispatch::add_(meta.grad, incoming, 1);
    meta.grad.get().version->bump("backward", 0);
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
