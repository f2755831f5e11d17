// Leaves: the side block of a tensor with its gradient, and the node that adds to it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include <eagre/autograd/node.h>

namespace eagre::autograd {

// The end of every path: adds the incoming gradient to the leaf's. Part of the leaf's AutogradMeta,
// so an edge to it holds the leaf; see GraphObject.
class EAGRE_API AccumulateNode final : public Node {
 public:
  explicit AccumulateNode(TensorImpl& leaf) : Node(LeafTag{}), leaf_(&leaf) {}

  std::string_view name() const override { return "AccumulateGrad"; }
  void apply(BackwardCall& call) override;
  TensorImpl& leaf() const { return *leaf_; }

 protected:
  TensorImpl* host() const override { return leaf_; }

 private:
  TensorImpl* leaf_;
};

class Carried;
struct TensorExtras;

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
  std::unique_ptr<TensorExtras> extras;  // see tensor_extras.h
  TensorExtras& make_extras();
  IntrusivePtr<Carried> carried;  // see transforms/carried.h

  static void* operator new(size_t bytes) { return allocate_block(bytes); }
  static void operator delete(void* memory, size_t bytes) { free_block(memory, bytes); }
};

EAGRE_API EAGRE_COLD AutogradMeta& make_autograd_meta(TensorImpl& impl);

// The side block of a tensor, made now if there is none.
inline AutogradMeta& autograd_meta(TensorImpl& impl) {
  Releasable* current = impl.autograd.load(std::memory_order_acquire);
  return current == nullptr ? make_autograd_meta(impl) : *static_cast<AutogradMeta*>(current);
}

// The gradient of a tensor, or an undefined one.
EAGRE_API TensorBase grad_of(const TensorBase& tensor);
// Checks shape, dtype and device; an undefined gradient clears it.
EAGRE_API void set_grad(const TensorBase& tensor, TensorBase grad);

// Only leaves of floating type can be switched.
EAGRE_API void set_requires_grad(const TensorBase& tensor, bool requires_grad);

// The same values without history, sharing memory and version counter.
EAGRE_API TensorBase detach(const TensorBase& tensor);

}  // namespace eagre::autograd
