// Saving, checking and giving up tensors for backward.
#include <eagre/autograd/saved_tensor.h>

#include <thread>

#include <eagre/autograd/copy_slices.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/hooks.h>

namespace eagre::autograd {

// What a pack hook returned, with the hooks that know how to undo it.
struct PackedTensor {
  TensorBase value;
  std::shared_ptr<SavedTensorHookScope::Functions> functions;
  Edge history;  // of the tensor that was saved
  DimVector sizes;
  DType dtype;
};

namespace {

[[noreturn]] EAGRE_COLD void raise_dropped(const Node& node) {
  raise(ErrorKind::kAutograd,
        concat("Trying to backward through the graph a second time: the tensors that ", node.name(),
               " saved were freed when backward() ran through it before. Hint: pass "
               "retain_graph=True to the first call, or run the forward again"));
}

[[noreturn]] EAGRE_COLD void raise_modified(const Node& node, const char* argument,
                                            const TensorImpl& impl, uint32_t saved) {
  const VersionCounter& version = *impl.version;
  const char* op = version.last_op.load(std::memory_order_relaxed);
  raise(
      ErrorKind::kAutograd,
      concat(
          "one of the variables needed for gradient computation has been modified by an "
          "inplace operation: the ",
          impl.key.dtype, " tensor of shape ", impl.sizes(), " that ", node.name(), " saved as '",
          argument, "' is at version ", version.value.load(std::memory_order_relaxed),
          "; expected version ", saved, "\n  changed by ",
          op == nullptr ? "an unknown operator" : op, " at ",
          describe_site(version.last_site.load(std::memory_order_relaxed)),
          "\n  Hint: use the form of that operator that makes a new tensor, or clone() before it"));
}

// A tensor without history as the user knew it: the result of slot `slot` of `node`. Only needed
// when the gradient is recorded too.
TensorBase with_history(TensorBase plain, Node* node, uint32_t slot) {
  if (node == nullptr || !GradMode::is_enabled()) return plain;
  const NodeExtras* more = node->extras();
  if (more != nullptr && more->inside != nullptr) return more->inside->written(plain.get());
  auto tensor = TensorBase::adopt(new_alias(plain.get()));
  node->retain();
  tensor.get().grad_node = node;
  tensor.get().output_slot = static_cast<uint16_t>(slot);
  return tensor;
}

}  // namespace

uint32_t SavedTensor::lock() {
  while (true) {
    const uint32_t state = state_.fetch_or(kLocked, std::memory_order_acquire);
    if ((state & kLocked) == 0) return state;
    std::this_thread::yield();
  }
}

void SavedTensor::raise_inference() {
  raise(ErrorKind::kAutograd,
        "Inference tensors cannot be saved for backward. Hint: clone() one outside of inference "
        "mode gives a normal tensor with its values");
}

void SavedTensor::end_unusual(uint32_t state) {
  if ((state & kPacked) != 0) delete packed_;
}

void SavedTensor::drop() {
  const uint32_t state = lock();
  if ((state & kHeld) == 0) return unlock(state);
  const bool is_packed = (state & kPacked) != 0;
  PackedTensor* packed = is_packed ? packed_ : nullptr;
  TensorImpl* impl = is_packed ? nullptr : impl_;
  impl_ = nullptr;
  unlock(0);
  if (impl != nullptr) impl->release();
  delete packed;
}

// What is not simply there. The lock is held.
TensorBase SavedTensor::read_unusual(uint32_t state, Node& node, const BackwardCall& call,
                                     const char* argument) {
  if ((state & kHeld) == 0) {
    unlock(state);
    raise_dropped(node);
  }
  // User code runs outside the lock, on a copy.
  const auto packed = std::make_unique<PackedTensor>(*packed_);
  unlock(state);
  TensorBase tensor = packed->functions->unpack(packed->value);
  if (!call.keep_graph()) drop();
  EAGRE_CHECK(
      tensor.defined() && tensor.sizes() == Dims(packed->sizes) && tensor.dtype() == packed->dtype,
      kAutograd, "the unpack hook for '", argument, "' of ", node.name(), " did not return a ",
      packed->dtype, " tensor of shape ", Dims(packed->sizes));
  const Edge& history = packed->history;
  if ((state & kIsOutput) != 0) return with_history(std::move(tensor), &node, 0);
  return with_history(std::move(tensor), history.node.get(), history.slot);
}

TensorBase SavedTensor::read(Node& node, const BackwardCall& call, const char* argument) {
  const uint32_t state = lock();
  if ((state & (kHeld | kPacked)) != kHeld) [[unlikely]]
    return read_unusual(state, node, call, argument);
  TensorImpl* impl = impl_;
  if (call.keep_graph()) {
    impl->retain();
    unlock(state);
  } else {
    impl_ = nullptr;
    unlock(0);
  }
  TensorBase tensor = TensorBase::adopt(impl);
  if (impl->version->value.load(std::memory_order_relaxed) != version_) [[unlikely]] {
    raise_modified(node, argument, *impl, version_);
  }
  if ((state & kIsOutput) != 0) return with_history(std::move(tensor), &node, 0);
  return tensor;
}

void SavedTensor::pack(const TensorBase& tensor, uint32_t state) {
  // Held: the hook may end its own scope.
  const auto functions =
      static_cast<SavedTensorHookScope*>(thread_state.modes.saved_tensor_hooks)->functions();
  // The hook sees the values without history, and its own operators are not recorded.
  NoGradGuard no_grad;
  const TensorBase plain = TensorBase::adopt(new_alias(tensor.get()));
  auto packed = std::make_unique<PackedTensor>();
  const std::atomic<uint32_t>& version = plain.get().version->value;
  const uint32_t before = version.load(std::memory_order_relaxed);
  packed->value = functions->pack(plain);
  EAGRE_CHECK(version.load(std::memory_order_relaxed) == before, kAutograd,
              "A saved tensor pack hook is modifying its input in place, but others use it as it "
              "is. Hint: clone() it first");
  packed->functions = functions;
  if ((state & kIsOutput) == 0) packed->history = gradient_edge(tensor);
  packed->sizes = tensor.sizes();
  packed->dtype = tensor.dtype();
  packed_ = packed.release();
  state_.store(state | kHeld | kPacked, std::memory_order_relaxed);
}

void SavedOperand::save_number(const Scalar& number) {
  if (number.category() == DTypeCategory::kComplex) {  // too large for the place of a pointer
    const auto boxed = TensorBase::adopt(new_tensor({}, kComplex128, Device()));
    number.store(kComplex128, boxed.data_ptr());
    return SavedTensor::save_input(boxed);
  }
  version_ = static_cast<uint32_t>(number.category());
  if (number.category() == DTypeCategory::kFloating) {
    floating_ = number.wrapped<double>();
  } else {
    integer_ = number.wrapped<int64_t>();
  }
  state_.store(kIsNumber, std::memory_order_relaxed);
}

Scalar SavedOperand::number() const {
  switch (static_cast<DTypeCategory>(version_)) {
    case DTypeCategory::kFloating: return floating_;
    case DTypeCategory::kBool: return integer_ != 0;
    default: break;
  }
  return integer_;
}

SavedTensorHookScope::SavedTensorHookScope(std::shared_ptr<Functions> functions)
    : functions_(std::move(functions)), outer_(thread_state.modes.saved_tensor_hooks) {
  thread_state.modes.saved_tensor_hooks = this;
  thread_state.modes.unusual |= kSavedTensorHooks;
}

SavedTensorHookScope::~SavedTensorHookScope() {
  thread_state.modes.saved_tensor_hooks = outer_;
  if (outer_ == nullptr) thread_state.modes.unusual &= ~uint64_t{kSavedTensorHooks};
}

}  // namespace eagre::autograd
