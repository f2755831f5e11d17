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

struct NodeExtras {
  struct Registered {
    uint64_t id;
    uint16_t slot;
    std::shared_ptr<TensorHook> hook;  // shared: a hook may remove itself while it runs
  };
  std::vector<Registered> hooks;
  uint64_t next_id = 1;

  // Slots beyond the first of a node with several outputs.
  std::vector<std::unique_ptr<SlotMeta>> more_meta;
  std::vector<TensorBase> more_gradients;
};

// Runs the hooks of one slot in the order of registration, each on the result of the one before.
void run_hooks(Node& node, uint16_t slot, TensorBase& gradient);

}  // namespace eagre::autograd
