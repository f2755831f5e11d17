// Giving views a fresh history, and tensors a new one when they are written.
#include <eagre/autograd/tape/view_history.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/copy_slices.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/retain_grad.h>
#include <eagre/autograd/tape/view_shape.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/fork.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/output.h>

namespace eagre::autograd {
namespace {

// Stale views are rare, and two threads may ask for the history of the same one.
ForkMutex& refresh_lock() {
  static ForkMutex& instance = *new ForkMutex;
  return instance;
}
const MadeAtLoad kRefreshLockAtLoad(refresh_lock);
thread_local bool holds_refresh_lock = false;

// A thread may need it again: the operator that makes a view anew looks, in a vmap, at the batches
// of the base, which may be stale views themselves.
class RefreshScope {
 public:
  RefreshScope() : is_inner_(std::exchange(holds_refresh_lock, true)) {
    if (!is_inner_) refresh_lock().lock();
  }
  ~RefreshScope() {
    holds_refresh_lock = is_inner_;
    if (!is_inner_) refresh_lock().unlock();
  }
  RefreshScope(const RefreshScope&) = delete;
  RefreshScope& operator=(const RefreshScope&) = delete;

 private:
  bool is_inner_;
};

// "Output 0 of Unbind is a view": what made it, by the name that its function has.
std::string described(const TensorImpl& view) {
  if (view.grad_node == nullptr) return "This tensor is a view";
  std::string function = static_cast<const Node*>(view.grad_node)->name();
  function.resize(std::min(function.size(), function.rfind("Backward")));
  return concat("Output ", view.output_slot, " of ", function, " is a view");
}

// `happened`: what the user did to the view.
[[noreturn]] EAGRE_COLD void raise_restricted(const TensorImpl& view, const std::string& op,
                                              const char* happened) {
  const ViewOrigin origin = view.view_info().origin;
  if (origin == ViewOrigin::kCustom) {
    raise(ErrorKind::kAutograd,
          concat(op, described(view), " and ", happened,
                 " modified inplace. This view was created inside a custom Function (or because an "
                 "input was returned as-is), whose own backward a write would lose. Hint: clone() "
                 "the output inside the Function"));
  }
  if (origin == ViewOrigin::kManyViews) {
    raise(ErrorKind::kAutograd,
          concat(op, described(view), " and ", happened,
                 " modified inplace. This view is the output of a function that returns multiple "
                 "views. Such functions do not allow them to be modified inplace. Hint: use the "
                 "form of the operator that makes a new tensor"));
  }
  const char* mode = origin == ViewOrigin::kNoGrad ? "no_grad" : "inference";
  raise(ErrorKind::kAutograd,
        concat(op, "A view was created in ", mode, " mode and ", happened,
               " modified inplace with grad mode enabled, so whether its gradient is meant to be "
               "tracked is not clear. Hint: do both inside the ",
               mode, " block, or both outside"));
}

}  // namespace

void refresh_view(TensorImpl& view) {
  if (!view.is_stale_view()) return;
  GraphObject* old = nullptr;
  {
    const RefreshScope lock;
    if (!view.is_stale_view()) return;
    ViewInfo& info = view.view_info();
    if (info.origin != ViewOrigin::kPlain) {
      raise_restricted(view, "", "its base or another view of its base has been");
    }
    const AutoGradMode recording(true);
    const CallSite at = thread_state.site;
    const uint32_t version = view.version->value.load(std::memory_order_relaxed);
    // Only the history is wanted, no tangent.
    const TensorBase fresh = view_of_dual(TensorBase::share(info.base), ViewShape(view), at);
    follow_history(view, static_cast<Node*>(fresh.get().grad_node), 0);
    old = std::exchange(view.grad_node, std::exchange(fresh.get().grad_node, nullptr));
    view.output_slot = 0;
    info.stamp.store(version, std::memory_order_release);
    thread_state.site = at;
  }
  if (old != nullptr) old->release();
}

Node* history_of(const TensorBase& tensor) {
  refresh_history(tensor.get());
  return static_cast<Node*>(tensor.get().grad_node);
}

void rebase_history(IntrusivePtr<Node> node, TensorImpl& written) {
  if (written.has(TensorImpl::kStopsGradient)) return;
  if (!written.has(TensorImpl::kIsView)) [[likely]] {
    follow_history(written, node.get(), 0);
    return Node::set_history(std::move(node), written);
  }
  TensorImpl& base = *written.view_info().base;
  if (base.has(TensorImpl::kStopsGradient)) return;
  auto slices = CopySlices::make(base, written, std::move(node));
  follow_history(base, slices.get(), 0);
  Node::set_history(std::move(slices), base);
  // Now, since a gradient of what it was must not count any more.
  if (retains_grad(TensorBase::share(&written))) refresh_history(written);
}

void rebase_geometry(IntrusivePtr<Node> node, TensorImpl& changed) {
  // That of a view is stale now and will be made anew, for the new look.
  if (changed.has(TensorImpl::kIsView) || changed.has(TensorImpl::kStopsGradient)) return;
  // A gradient that is retained stays that of the values, in the shape they had, as in PyTorch.
  Node::set_history(std::move(node), changed);
}

void prepare_geometry_change(const char* op, TensorImpl& changed) {
  dispatch::check_inference(op, changed);
  if (changed.grad_node != nullptr || !changed.has(TensorImpl::kRequiresGrad)) return;
  auto& shapes = autograd_meta(changed).make_extras().former_shapes;
  for (const DimVector& shape : shapes) {
    if (Dims(shape) == changed.sizes()) return;
  }
  shapes.emplace_back(changed.sizes());
}

void check_inplace(const char* op, const TensorBase& self) {
  const TensorImpl& impl = self.get();
  const bool is_view = impl.has(TensorImpl::kIsView);
  if (is_view && impl.view_info().origin != ViewOrigin::kPlain) {
    raise_restricted(impl, concat(op, "(): "), "is being");
  }
  const TensorImpl& base = is_view ? *impl.view_info().base : impl;
  const auto is_leaf = [](const TensorImpl& tensor) {
    return tensor.grad_node == nullptr && tensor.has(TensorImpl::kRequiresGrad);
  };
  // A view may have kept a history that its base has lost, by detach_() or a flag: the write would
  // lose the view's.
  const bool is_left = is_view && base.grad_node == nullptr && impl.grad_node != nullptr;
  EAGRE_CHECK(!is_leaf(impl) && !is_leaf(base) && !is_left, kAutograd, op,
              is_leaf(impl) ? "(): a leaf Variable" : "(): a view of a leaf Variable",
              " that requires grad is being used in an in-place operation. Hint: "
              "do it under no_grad(), or use the form that makes a new tensor");
  EAGRE_CHECK(!is_view || is_differentiable(base.key.dtype), kAutograd, op,
              "(): the gradient cannot flow through a view of a ", base.key.dtype, " tensor");
}

}  // namespace eagre::autograd
