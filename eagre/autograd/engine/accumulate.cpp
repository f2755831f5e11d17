// Adding gradients to leaves: steal the buffer when nobody else has it, else add in place, else
// make a new tensor (when the gradient itself is being recorded).
#include <eagre/autograd/accumulate.h>

#include <memory>
#include <utility>

#include <eagre/autograd/attributes.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/copy.h>
#include <eagre/autograd/spin_lock.h>
#include <eagre/autograd/tensor_extras.h>
#include <eagre/autograd/transforms/batching.h>
#include <eagre/autograd/write_watch.h>
#include <eagre/dispatch/ops/add.h>

namespace eagre::autograd {

namespace {

// The layout contract: a gradient lies in memory as its leaf does if that has no holes, else in
// rows. Whoever steps along both then walks them in one order.
bool has_layout_of(const TensorImpl& leaf, const TensorImpl& gradient) {
  if (gradient.is_contiguous() && (leaf.is_contiguous() || !leaf.is_dense())) return true;
  if (!leaf.is_dense()) return false;
  for (size_t i = 0; i < leaf.key.rank; ++i) {
    if (leaf.sizes()[i] != 1 && leaf.strides()[i] != gradient.strides()[i]) return false;
  }
  return true;
}

TensorBase copy_in_layout_of(const TensorImpl& leaf, const TensorBase& gradient) {
  const DType dtype = gradient.dtype();  // the leaf's, unless grad_dtype says otherwise
  const auto copy =
      TensorBase::adopt(leaf.is_dense() ? new_tensor_like(leaf, dtype)
                                        : new_tensor(leaf.sizes(), dtype, leaf.key.device));
  ops::copy_(copy, gradient, false, CallSite::none());
  return copy;
}

// The gradient of a leaf that has none yet. What the caller handed in must not become visible
// through .grad, so it is taken only where nobody else has it.
TensorBase first_gradient(const TensorImpl& leaf, TensorBase& incoming) {
  const TensorImpl& impl = incoming.get();
  if (carries(impl)) [[unlikely]]
    return ops::clone(incoming, CallSite::none());
  const bool steals = impl.is_sole_owner() && has_layout_of(leaf, impl) &&
                      (GradMode::is_enabled() || impl.grad_node == nullptr);
  if (!steals) return copy_in_layout_of(leaf, incoming);
  // To the user .grad is no view of something.
  return incoming.is_view() && !GradMode::is_enabled() ? TensorBase::adopt(new_alias(impl))
                                                       : std::move(incoming);
}

void add_to(TensorBase& grad, const TensorBase& incoming) {
  if (GradMode::is_enabled() || transforms_active()) {
    grad = ops::add(grad, incoming, 1, CallSite::none());
    return;
  }
  if (grad.dtype() != incoming.dtype()) {  // only where grad_dtype allows any
    grad = dispatch::add(grad, incoming, 1);
    return;
  }
  before_write(grad);
  dispatch::add_(grad, incoming, 1);
  grad.get().version->bump("backward", 0);
}

}  // namespace

// Accumulators of one leaf wait for each other while they add; readers of .grad only for the moment
// in which the handle changes, so what they see is always the tensor itself.
void AccumulateNode::apply(BackwardCall& call) {
  TensorBase& incoming = call.grad(0);
  if (!incoming.defined()) return;
  if (!leaf_->has(TensorImpl::kRequiresGrad)) [[unlikely]] {  // not any more
    EAGRE_CHECK(leaf_->grad_node == nullptr, kAutograd,
                "a leaf Variable was moved into the graph interior by an in-place operation");
    return;
  }
  EAGRE_CHECK(
      incoming.get().key.kind == TensorKind::kDense || leaf_->key.kind != TensorKind::kDense,
      kAutograd,
      "backward() inside vmap(): the gradient of a leaf from outside differs from sample to "
      "sample, but there is one .grad. Hint: use grad() and return the gradients");
  auto& meta = *static_cast<AutogradMeta*>(leaf_->autograd.load(std::memory_order_acquire));
  std::lock_guard turn(meta.accumulating);
  TensorBase grad = meta.grad_handle();
  if (grad.defined()) {
    add_to(grad, incoming);
  } else {
    grad = first_gradient(*leaf_, incoming);
  }
  meta.swap_grad(grad);
}

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
        "only tensors of floating-point and complex dtype can require gradients, but this one is ",
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

TensorBase detach(const TensorBase& tensor) {
  const TensorImpl& impl = tensor.get();
  const Carried* carried = carried_by(impl);
  if (carried == nullptr || !carried->batch_level) [[likely]]
    return TensorBase::adopt(new_alias(impl));
  Level& level = *carried->batch_level;
  return batched(detach(carried->batch), carried->batch_dim, level);
}

}  // namespace eagre::autograd
