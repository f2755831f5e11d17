// What a node keeps from the forward call. An input is kept as its impl and the version it had, so
// saving costs no block; an output of the node itself is kept as an alias without history, or node
// and output would hold each other.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include <eagre/autograd/tape/node.h>
#include <eagre/core/operand.h>

namespace eagre::autograd {

// What is done to a tensor when it is saved, and undone when backward needs it.
class PackHooks {
 public:
  virtual ~PackHooks() = default;
  virtual TensorBase pack(const TensorBase& tensor) = 0;
  virtual TensorBase unpack(const TensorBase& packed) = 0;
};

class SavedTensor {
 public:
  SavedTensor() = default;
  ~SavedTensor() {
    const uint32_t state = state_.load(std::memory_order_relaxed);
    if ((state & (kPacked | kIsNumber)) != 0) [[unlikely]] {
      end_unusual(state);
    } else if (impl_ != nullptr) {
      impl_->release();
    }
  }
  SavedTensor(const SavedTensor&) = delete;
  SavedTensor& operator=(const SavedTensor&) = delete;

  void save_input(const TensorBase& tensor) {
    if (thread_state.modes.unusual & kSavedTensorHooks) [[unlikely]]
      return pack(tensor, 0);
    TensorImpl& impl = tensor.get();
    if ((impl.flags & (TensorImpl::kInference | TensorImpl::kWasDetached)) != 0) [[unlikely]]
      return save_unusual(impl);
    impl.retain();
    keep(&impl, 0);
  }
  void save_output(const TensorBase& tensor) {
    if (thread_state.modes.unusual & (kSavedTensorHooks | kTransforms)) [[unlikely]]
      return save_unusual_output(tensor);
    TensorImpl* alias = new_alias(tensor.get());
    alias->output_slot = tensor.get().output_slot;
    keep(alias, kIsOutput);
  }

  // The tensor as it was saved. Raises if it was written in place since, or dropped by an earlier
  // backward. Gives it up unless the graph is kept.
  TensorBase read(Node& node, const BackwardCall& call, const char* argument);
  // An unwanted tensor: only gives it up.
  void skip(const BackwardCall& call) {
    if (!call.keep_graph() && (state_.load(std::memory_order_relaxed) & kHeld) != 0) drop();
  }

  // --- for who looks at a graph ---
  // The tensor as read() gives it, with its history; undefined if none was saved.
  EAGRE_API TensorBase look(Node& node, const char* argument);
  // What is kept: the tensor, without history if it is an output; or what `hooks` packed.
  // Undefined if nothing was saved, or not any more.
  struct Kept {
    TensorBase value;
    std::shared_ptr<PackHooks> hooks;
  };
  EAGRE_API Kept kept();
  bool is_freed() const { return (state_.load(std::memory_order_acquire) & kFreed) != 0; }
  // Packs it now, as if it had been saved in a scope of these hooks.
  EAGRE_API void register_hooks(std::shared_ptr<PackHooks> hooks);

 protected:
  // Bits of state_. kSavedLeaf: it had no history when it was saved, though it once had had one.
  static constexpr uint32_t kLocked = 1, kHeld = 2, kIsOutput = 4, kPacked = 8, kIsNumber = 16,
                            kFreed = 32, kSavedLeaf = 64;

  void keep(TensorImpl* impl, uint32_t state) {
    impl_ = impl;
    version_ = impl->version->value.load(std::memory_order_relaxed);
    state_.store(state | kHeld, std::memory_order_relaxed);
  }
  EAGRE_API EAGRE_COLD void save_unusual(TensorImpl& impl);
  EAGRE_API EAGRE_COLD void save_unusual_output(const TensorBase& tensor);
  EAGRE_API EAGRE_COLD void pack(const TensorBase& tensor, uint32_t state);
  EAGRE_API void drop();
  EAGRE_API void end_unusual(uint32_t state);

  union {
    TensorImpl* impl_ = nullptr;
    struct PackedTensor* packed_;
    int64_t integer_;
    double floating_;
  };
  uint32_t version_ = 0;
  std::atomic<uint32_t> state_{0};

 private:
  uint32_t lock();
  EAGRE_COLD TensorBase read_unusual(uint32_t state, Node& node, const BackwardCall& call,
                                     const char* argument);
  void unlock(uint32_t state) { state_.store(state, std::memory_order_release); }
};
static_assert(sizeof(SavedTensor) == 16);

// A `Tensor|Scalar` argument: a number is kept in the place of the pointer.
class SavedOperand : public SavedTensor {
 public:
  void save_input(const Operand& operand) {
    if (operand.is_tensor()) [[likely]]
      return SavedTensor::save_input(operand.tensor());
    save_number(operand.scalar());
  }
  // Valid as long as `owner`, which receives the tensor.
  Operand read(Node& node, const BackwardCall& call, const char* argument, TensorBase& owner) {
    if (is_number()) [[unlikely]]
      return number();
    owner = SavedTensor::read(node, call, argument);
    return owner;
  }

  bool is_number() const { return (state_.load(std::memory_order_relaxed) & kIsNumber) != 0; }
  EAGRE_API Scalar number() const;

 private:
  EAGRE_API void save_number(const Scalar& number);
};

// While in scope, nodes of this thread may save inference tensors: who opened it ends the graph
// before anybody else can write to them.
class EAGRE_API InferenceSaver {
 public:
  InferenceSaver();
  ~InferenceSaver();
  InferenceSaver(const InferenceSaver&) = delete;
  InferenceSaver& operator=(const InferenceSaver&) = delete;
};

// While in scope, tensors that nodes of this thread save are handed to `pack`, and what it returned
// to `unpack` when backward needs them. Guards nest; the innermost counts.
class EAGRE_API SavedTensorHookScope {
 public:
  using Functions = PackHooks;

  explicit SavedTensorHookScope(std::shared_ptr<Functions> functions);
  ~SavedTensorHookScope();
  SavedTensorHookScope(const SavedTensorHookScope&) = delete;
  SavedTensorHookScope& operator=(const SavedTensorHookScope&) = delete;

  const std::shared_ptr<Functions>& functions() const { return functions_; }

 private:
  std::shared_ptr<Functions> functions_;
  void* outer_;
};

}  // namespace eagre::autograd
