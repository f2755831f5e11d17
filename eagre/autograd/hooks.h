// User code that sees gradients on their way, and the rarely needed rest of a node.
#pragma once

#include <memory>
#include <vector>

#include <eagre/autograd/node.h>

namespace eagre::autograd {

// Called with the gradient of a tensor; may return another of the same shape, or an undefined
// tensor to leave it as it is.
class TensorHook {
 public:
  virtual ~TensorHook() = default;
  virtual TensorBase call(const TensorBase& gradient) = 0;
};

template <class F>
class CallableHook final : public TensorHook {
 public:
  explicit CallableHook(F f) : f_(std::move(f)) {}
  TensorBase call(const TensorBase& gradient) override { return f_(gradient); }

 private:
  F f_;
};

// The hooks of a node. Threads may add and remove them while others run backward.
class HookList {
 public:
  struct Registered {
    uint64_t id;
    uint16_t slot;
    std::shared_ptr<TensorHook> hook;  // shared: a hook may remove itself while it runs
  };

  uint64_t add(uint16_t slot, std::unique_ptr<TensorHook> hook);
  bool remove(uint64_t id);
  std::vector<Registered> copy() const;

 private:
  std::vector<Registered> hooks_;
  uint64_t next_id_ = 1;
};

struct NodeExtras {
  HookList hooks;
  class CopySlices* inside = nullptr;  // the node that runs this one in its own place
  // In anomaly mode: the node whose backward recorded this one.
  std::shared_ptr<const struct NodeOrigin> origin;

  // Slots beyond the first of a node with several outputs.
  std::vector<std::unique_ptr<SlotMeta>> more_meta;
  std::vector<TensorBase> more_gradients;
};

// Runs the hooks on the gradients of the node's slots, in the order of registration, each on the
// result of the one before.
void run_hooks(Node& node, Span<TensorBase> gradients);

}  // namespace eagre::autograd
