// What autograd keeps with a tensor: the side block with its gradient, and the node of a leaf,
// which adds to it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

// The end of every path: adds the incoming gradient to the leaf's. Part of the leaf's AutogradMeta,
// so an edge to it holds the leaf; see GraphObject.
class EAGRE_API AccumulateNode final : public Node {
 public:
  explicit AccumulateNode(TensorImpl& leaf) : Node(LeafTag{}), leaf_(&leaf) {}

  std::string name() const override { return "AccumulateGrad"; }
  void apply(BackwardCall& call) override;
  TensorImpl& leaf() const { return *leaf_; }

 protected:
  TensorImpl* host() const override { return leaf_; }

 private:
  TensorImpl* leaf_;
};

class TransformMeta;
struct AutogradMeta;

// The way of a hook to the .grad of a tensor that it does not hold.
class RetainedGrad {
 public:
  explicit RetainedGrad(AutogradMeta& owner) : owner_(&owner) {}
  bool read(TensorBase& grad);  // false when the tensor is gone
  void write(TensorBase& grad);
  void leave();  // the tensor ends

  std::mutex adding;  // held by those who read, add and write

 private:
  std::atomic<bool> lock_{false};
  AutogradMeta* owner_;
};

// The rarely needed rest.
struct TensorExtras {
  ~TensorExtras() {
    if (retained != nullptr) retained->leave();
  }

  std::shared_ptr<RetainedGrad> retained;
  HookHandle retain_hook;
  // The dtype of .grad where it is not that of the tensor.
  std::optional<DType> grad_dtype;
  bool any_grad_dtype = false;
  // Shapes that a leaf had before x.t_() and its like, in which graphs recorded then give
  // gradients.
  std::vector<DimVector> former_shapes;
  // Side blocks whose accumulate nodes graphs still lead to, from before set_().
  std::vector<std::shared_ptr<AutogradMeta>> former_metas;
  // Memory that views may still look at, because this tensor was their base when it had it.
  std::vector<IntrusivePtr<Storage>> former;
};

struct EAGRE_API AutogradMeta final : public Releasable {
  explicit AutogradMeta(TensorImpl& tensor);
  ~AutogradMeta() override;

  TensorBase grad_handle();
  void swap_grad(TensorBase& other);  // what it was dies with the caller's handle, not in the lock

  TensorBase grad;
  std::atomic<bool> lock{false};  // of the handle `grad`; held for a few instructions only
  // Held while operators run; recursive because these may call a user's warning handler.
  std::recursive_mutex accumulating;
  AccumulateNode accumulate;
  std::unique_ptr<TensorExtras> extras;
  TensorExtras& make_extras();
  IntrusivePtr<TransformMeta> transform_meta;  // see transform_meta.h

  static void* operator new(size_t bytes) { return allocate_block(bytes); }
  static void operator delete(void* memory, size_t bytes) { free_block(memory, bytes); }
};

EAGRE_API EAGRE_COLD AutogradMeta& make_autograd_meta(TensorImpl& impl);

// The side block of a tensor, made now if there is none.
inline AutogradMeta& autograd_meta(TensorImpl& impl) {
  Releasable* current = impl.autograd.load(std::memory_order_acquire);
  return current == nullptr ? make_autograd_meta(impl) : *static_cast<AutogradMeta*>(current);
}

// After this, graphs that were recorded before do not lead to the leaf any more, but to the node
// that it had then. That still adds to .grad.
EAGRE_API void renew_accumulate(TensorImpl& leaf);

// Whether a gradient that becomes .grad is brought into the layout of its leaf; it is at first.
EAGRE_API bool enforces_grad_layout();
EAGRE_API void set_enforces_grad_layout(bool enforces);

// The gradient of a tensor, or an undefined one.
EAGRE_API TensorBase grad_of(const TensorBase& tensor);
// Checks shape, dtype and device; an undefined gradient clears it.
EAGRE_API void set_grad(const TensorBase& tensor, TensorBase grad);

// Only leaves of floating type can be switched.
EAGRE_API void set_requires_grad(const TensorBase& tensor, bool requires_grad);

// The dtype that gradients are cast to before they are added to .grad; none: as they come.
EAGRE_API std::optional<DType> grad_dtype(const TensorBase& tensor);
EAGRE_API void set_grad_dtype(const TensorBase& leaf, std::optional<DType> dtype);

}  // namespace eagre::autograd
