// Hooks: user code that sees gradients on their way.
//
// Around a node that has its gradients, hooks run in this order, those of one kind as registered:
// hooks on tensors, retain_grad(), [the gradient is captured,] hooks before the node, the node,
// hooks after accumulation (of a leaf), hooks after the node.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>

namespace eagre::autograd {

using GradientList = std::vector<TensorBase>;

class Hook {
 public:
  virtual ~Hook() = default;
  // For messages.
  virtual std::string name() const { return "a hook"; }
  // The object of a binding that is called, which this hook holds one reference to; for
  // collectors of garbage.
  virtual void* language_object() const { return nullptr; }
};

// Called with the gradient of a tensor, which is undefined where nothing that ran depends on it;
// may return another of the same kind, or an undefined tensor to leave it as it is.
class TensorHook : public Hook {
 public:
  virtual TensorBase call(const TensorBase& gradient) = 0;
};

// Called before a node with the gradients of its slots, of which some may be undefined; may return
// as many others.
class PreHook : public Hook {
 public:
  virtual std::optional<GradientList> call(const GradientList& gradients) = 0;
};

// Called after a node with the gradients of its inputs, and with those it got; may return others
// for the inputs.
class PostHook : public Hook {
 public:
  virtual std::optional<GradientList> call(const GradientList& results,
                                           const GradientList& gradients) = 0;
};

// Called with a leaf whose .grad has grown.
class AccumulatedHook : public Hook {
 public:
  virtual void call(const TensorBase& leaf) = 0;
};

template <class F>
class CallableHook final : public TensorHook {
 public:
  explicit CallableHook(F f) : f_(std::move(f)) {}
  TensorBase call(const TensorBase& gradient) override { return f_(gradient); }

 private:
  F f_;
};

template <class F>
class CallableAccumulatedHook final : public AccumulatedHook {
 public:
  explicit CallableAccumulatedHook(F f) : f_(std::move(f)) {}
  void call(const TensorBase& leaf) override { f_(leaf); }

 private:
  F f_;
};

enum class HookKind : uint8_t { kTensor, kRetain, kBefore, kAfter, kAccumulated };

// The hooks of a node. Threads may add and remove them while others run backward: who runs hooks
// has the list as it was when it began.
class EAGRE_API HookTable {
 public:
  struct Registered {
    uint64_t id;
    uint16_t slot;  // of a hook on a tensor
    std::shared_ptr<Hook> hook;
  };
  using List = std::vector<Registered>;

  uint64_t add(HookKind kind, uint16_t slot, std::shared_ptr<Hook> hook);
  bool remove(uint64_t id);
  void remove_all();
  std::shared_ptr<const List> list(HookKind kind) const;
  static constexpr size_t kKinds = 5;

 private:
  std::shared_ptr<const List> lists_[kKinds];
  uint64_t next_id_ = 0;
};

// Takes a hook away again. Does not keep the graph alive.
class EAGRE_API HookHandle {
 public:
  HookHandle() = default;
  HookHandle(std::weak_ptr<HookTable> table, uint64_t id) : table_(std::move(table)), id_(id) {}
  // True the first time.
  bool remove();
  // The position that Tensor::remove_hook() takes.
  operator uint64_t() const { return id_; }  // NOLINT: libtorch's handle is a number

 private:
  std::weak_ptr<HookTable> table_;
  uint64_t id_ = 0;
};

EAGRE_API HookHandle add_hook(Node& node, HookKind kind, std::shared_ptr<Hook> hook,
                              uint32_t slot = 0);
// On the gradient of a tensor, which must require one.
EAGRE_API HookHandle add_tensor_hook(const TensorBase& tensor, std::shared_ptr<TensorHook> hook);
// On the .grad of a leaf.
EAGRE_API HookHandle add_accumulated_hook(const TensorBase& leaf,
                                          std::shared_ptr<AccumulatedHook> hook);

inline HookTable* hooks_of(const Node& node) {
  const NodeExtras* more = node.extras();
  return more == nullptr ? nullptr : more->hooks.load(std::memory_order_acquire);
}

// Each runs the hooks of its kinds, every hook on the result of the one before.
void run_tensor_hooks(Node& node, HookTable& hooks, Span<TensorBase> gradients);
void run_pre_hooks(Node& node, HookTable& hooks, Span<TensorBase> gradients);
void run_accumulated_hooks(const TensorBase& leaf, HookTable& hooks);
// `gradients`: what the node got, or nothing when no hook was there yet to keep it for.
void run_post_hooks(Node& node, HookTable& hooks, Span<TensorBase> results, GradientList gradients);

}  // namespace eagre::autograd
