// The side block of a tensor: its gradient, and whether it requires one.
#include <eagre/autograd/tape/autograd_meta.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node_extras.h>
#include <eagre/autograd/tape/transform_meta.h>  // IWYU pragma: keep
#include <eagre/base/deferred_release.h>
#include <eagre/base/error.h>
#include <eagre/base/spin_lock.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::autograd {

AutogradMeta::AutogradMeta(TensorImpl& tensor) : accumulate(tensor) {}
AutogradMeta::~AutogradMeta() = default;

TensorExtras& AutogradMeta::make_extras() {
  if (extras == nullptr) extras = std::make_unique<TensorExtras>();
  return *extras;
}

TensorBase AutogradMeta::grad_handle() {
  SpinLock hold(lock);
  return grad;
}

void AutogradMeta::swap_grad(TensorBase& other) {
  SpinLock hold(lock);
  std::swap(grad, other);
}

bool RetainedGrad::read(TensorBase& grad) {
  const SpinLock hold(lock_);
  if (owner_ == nullptr) return false;
  grad = owner_->grad_handle();
  return true;
}

void RetainedGrad::write(TensorBase& grad) {
  const SpinLock hold(lock_);
  if (owner_ != nullptr) owner_->swap_grad(grad);
}

void RetainedGrad::leave() {
  const SpinLock hold(lock_);
  owner_ = nullptr;
}

AutogradMeta& make_autograd_meta(TensorImpl& impl) {
  auto fresh = std::make_unique<AutogradMeta>(impl);
  Releasable* current = nullptr;
  if (impl.autograd.compare_exchange_strong(current, fresh.get(), std::memory_order_acq_rel)) {
    return *fresh.release();
  }
  return *static_cast<AutogradMeta*>(current);  // another thread was faster
}

void renew_accumulate(TensorImpl& leaf) {
  auto* old = static_cast<AutogradMeta*>(leaf.autograd.load(std::memory_order_acquire));
  if (old == nullptr) return;
  auto fresh = std::make_unique<AutogradMeta>(leaf);
  old->swap_grad(fresh->grad);
  fresh->transform_meta = std::move(old->transform_meta);
  fresh->extras = std::move(old->extras);
  const NodeExtras* more = old->accumulate.extras();
  if (more != nullptr && more->hooks_owner != nullptr) {  // they are the tensor's
    NodeExtras& own = fresh->accumulate.make_extras();
    own.hooks_owner = more->hooks_owner;
    own.hooks.store(own.hooks_owner.get(), std::memory_order_release);
  }
  fresh->make_extras().former_metas.emplace_back(old);
  leaf.autograd.store(fresh.release(), std::memory_order_release);
}

TensorBase grad_of(const TensorBase& tensor) {
  auto* meta = static_cast<AutogradMeta*>(tensor.get().autograd.load(std::memory_order_acquire));
  return meta == nullptr ? TensorBase() : meta->grad_handle();
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
    const std::optional<DType> wanted = grad_dtype(tensor);
    if (wanted) check(given.key.dtype == *wanted, "dtype", *wanted, given.key.dtype);
    check(given.key.device == impl.key.device, "device", impl.key.device, given.key.device);
    check(given.sizes() == impl.sizes(), "shape", impl.sizes(), given.sizes());
  }
  autograd_meta(tensor.get()).swap_grad(grad);
}

void set_requires_grad(const TensorBase& tensor, bool requires_grad) {
  TensorImpl& impl = tensor.get();
  if (requires_grad) {
    EAGRE_CHECK(
        is_differentiable(impl.key.dtype), kInvalidArgument,
        "only Tensors of floating point and complex dtype can require gradients, but this one is ",
        impl.key.dtype);
    EAGRE_CHECK(!impl.has(TensorImpl::kInference) || InferenceMode::is_enabled(), kAutograd,
                "Setting requires_grad=True on inference tensor outside InferenceMode is not "
                "allowed. Hint: clone() gives a normal tensor with its values");
    impl.flags &= static_cast<uint16_t>(~TensorImpl::kStopsGradient);
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

std::optional<DType> grad_dtype(const TensorBase& tensor) {
  const auto* meta = static_cast<AutogradMeta*>(tensor.get().autograd.load());
  if (meta == nullptr || meta->extras == nullptr) return tensor.dtype();
  if (meta->extras->any_grad_dtype) return std::nullopt;
  return meta->extras->grad_dtype.value_or(tensor.dtype());
}

void set_grad_dtype(const TensorBase& leaf, std::optional<DType> dtype) {
  EAGRE_CHECK(leaf.is_leaf(), kAutograd, "grad_dtype can only be set on leaf tensors");
  EAGRE_CHECK(!dtype || is_differentiable(*dtype), kInvalidArgument,
              "grad_dtype must be a floating-point or complex dtype, but got ", *dtype);
  const TensorBase grad = grad_of(leaf);
  EAGRE_CHECK(!grad.defined() || !dtype || grad.dtype() == *dtype, kAutograd,
              "cannot set grad_dtype to ", *dtype, " because there is already a gradient of dtype ",
              grad.dtype(), ". Hint: clear it first: .grad = None");
  TensorExtras& extras = autograd_meta(leaf.get()).make_extras();
  extras.grad_dtype = dtype;
  extras.any_grad_dtype = !dtype;
}

}  // namespace eagre::autograd
