// Adding gradients to leaves: steal the buffer when nobody else has it, else add in place, else
// make a new tensor (when the gradient itself is being recorded).
#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/tape/write_watch.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/ops/add.h>
#include <eagre/ops/add.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/copy.h>

namespace eagre::autograd {
namespace {

std::atomic<bool> enforces_layout{true};

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

// Like is_sole_owner(), for a tensor with one more handle.
bool is_held_by_two(const TensorImpl& impl) {
  return impl.refs.load(std::memory_order_acquire) == 2 &&
         impl.storage->refs.load(std::memory_order_acquire) == 1 && impl.is_dense() &&
         !impl.storage->has(Storage::kExported) && !impl.has(TensorImpl::kHoldsBase);
}

bool has_hooks_after(const Node& node) {
  const HookTable* hooks = hooks_of(node);
  return hooks != nullptr && hooks->list(HookKind::kAfter) != nullptr;
}

// The gradient of a leaf that has none yet. What the caller handed in must not become visible
// through .grad, so it is taken only where nobody else has it, but for hooks after this node
// (`is_hooked`): these see the memory of .grad.
TensorBase first_gradient(const TensorImpl& leaf, TensorBase& incoming, bool is_hooked) {
  const TensorImpl& impl = incoming.get();
  if (has_transform_meta(impl)) [[unlikely]]
    return ops::clone(incoming, CallSite::none());
  const bool is_free = is_hooked ? is_held_by_two(impl) : impl.is_sole_owner();
  const TensorImpl& model = enforces_layout.load(std::memory_order_relaxed) ? leaf : impl;
  const bool steals = is_free && has_layout_of(model, impl) &&
                      (GradMode::is_enabled() || impl.grad_node == nullptr);
  if (!steals) return copy_in_layout_of(model, incoming);
  // To the user .grad is no view of something, and another tensor than what a hook got.
  const bool is_seen = (incoming.is_view() || is_hooked) && !GradMode::is_enabled();
  return is_seen ? TensorBase::adopt(new_alias(impl)) : std::move(incoming);
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

bool enforces_grad_layout() { return enforces_layout; }
void set_enforces_grad_layout(bool enforces) { enforces_layout = enforces; }

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
    grad = first_gradient(*leaf_, incoming, has_hooks_after(*this));
  }
  meta.swap_grad(grad);
}

}  // namespace eagre::autograd
