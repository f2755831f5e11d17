// The hook behind retain_grad(), and its way from node to node.
#include <eagre/autograd/tape/retain_grad.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/ops/add.h>
#include <eagre/ops/clone.h>

namespace eagre::autograd {
namespace {

class RetainHook final : public TensorHook {
 public:
  explicit RetainHook(std::shared_ptr<RetainedGrad> place) : place_(std::move(place)) {}

  TensorBase call(const TensorBase& gradient) override {
    const std::lock_guard turn(place_->adding);
    TensorBase grad;
    if (!place_->read(grad)) return {};  // the tensor is gone
    grad = grad.defined() ? ops::add(grad, gradient, 1, CallSite::none())
                          : ops::clone(gradient, CallSite::none());
    place_->write(grad);
    return {};
  }

 private:
  std::shared_ptr<RetainedGrad> place_;
};

TensorExtras* extras_of(TensorImpl& tensor) {
  auto* meta = static_cast<AutogradMeta*>(tensor.autograd.load(std::memory_order_acquire));
  return meta == nullptr ? nullptr : meta->extras.get();
}

void follow() { retaining_all = flags().retain_grad_for_all_tensor.load(); }
[[maybe_unused]] const bool kFollows = (follow_flags(&follow), true);

}  // namespace

constinit std::atomic<bool> retaining_all{false};

void retain_grad(const TensorBase& tensor) {
  EAGRE_CHECK(tensor.requires_grad(), kAutograd,
              "can't retain_grad on Tensor that has requires_grad=False");
  const Edge edge = gradient_edge(tensor);
  if (edge.node->is_accumulate() || retains_grad(tensor)) return;
  AutogradMeta& meta = autograd_meta(tensor.get());
  TensorExtras& extras = meta.make_extras();
  extras.retained = std::make_shared<RetainedGrad>(meta);
  extras.retain_hook = add_hook(*edge.node, HookKind::kRetain,
                                std::make_shared<RetainHook>(extras.retained), edge.slot);
}

void Node::retain_output(TensorImpl& output) { retain_grad(TensorBase::share(&output)); }

bool retains_grad(const TensorBase& tensor) {
  const TensorExtras* extras = extras_of(tensor.get());
  return extras != nullptr && extras->retained != nullptr;
}

void move_retained_grad(TensorImpl& tensor, Node* node, uint32_t slot) {
  TensorExtras* extras = extras_of(tensor);
  if (extras == nullptr || extras->retained == nullptr) return;
  extras->retain_hook.remove();
  if (node == nullptr) {
    extras->retained = nullptr;
    return;
  }
  extras->retain_hook =
      add_hook(*node, HookKind::kRetain, std::make_shared<RetainHook>(extras->retained), slot);
}

}  // namespace eagre::autograd
