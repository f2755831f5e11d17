// Saving, checking and giving up tensors for backward.
#include <eagre/autograd/tape/saved_tensor.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include <eagre/autograd/tape/copy_slices.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/site_table.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::autograd {

// What a pack hook returned, with the hooks that know how to undo it.
struct PackedTensor {
  TensorBase value;
  std::shared_ptr<PackHooks> functions;
  Edge history;  // of the tensor that was saved; of an output only the slot
  DimVector sizes;
  DType dtype;
  IntrusivePtr<TransformMeta>
      transform_meta;  // by the tensor that was saved, now or later; null for most
};

namespace {

constinit thread_local int inference_savers = 0;

[[noreturn]] EAGRE_COLD void raise_dropped(const Node& node) {
  raise(ErrorKind::kAutograd,
        concat("Trying to backward through the graph a second time (or directly access saved "
               "tensors after they have already been freed): those of ",
               node.name(),
               " were freed when backward() ran through it before. Specify retain_graph=True in "
               "the first call, or run the forward again"));
}

[[noreturn]] EAGRE_COLD void raise_detached(const Node& node, const char* argument) {
  raise(ErrorKind::kAutograd,
        concat("Trying to use a saved tensor that has been detached in-place: what ", node.name(),
               " saved as '", argument,
               "' lost its history by detach_(). Hint: detach() makes a new tensor and leaves "
               "this one as it is"));
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
          op == nullptr ? "an unknown operator" : op,
          op == nullptr || std::string_view(op).ends_with(')') ? "" : "()", " at ",
          describe_site(version.last_site.load(std::memory_order_relaxed)),
          "\n  Hint: use the form of that operator that makes a new tensor, or clone() before it"));
}

// A tensor without history as the user knew it: the result of slot `slot` of `node`. Only needed
// when the gradient is recorded too. `is_elsewhere`: a hook put it into other memory.
TensorBase with_history(TensorBase plain, Node* node, uint32_t slot, bool is_elsewhere) {
  if (node == nullptr || !GradMode::is_enabled() || !is_differentiable(plain.dtype())) return plain;
  if (const Edge own = gradient_edge(plain); own.node.get() == node && own.slot == slot) {
    return plain;  // a hook gave back what it was given
  }
  const NodeExtras* more = node->extras();
  if (more != nullptr && more->inside != nullptr) {
    return more->inside->written(plain, is_elsewhere);
  }
  TensorBase tensor = without_history(plain);
  node->retain();
  tensor.get().grad_node = node;
  tensor.get().output_slot = static_cast<uint16_t>(slot);
  return tensor;
}

std::unique_ptr<PackedTensor> pack_with(std::shared_ptr<PackHooks> hooks, const TensorBase& tensor,
                                        bool is_output) {
  // Operators of the hook are not recorded. It sees an input as the user has it; an output without
  // its history, which would lead back to the node that holds what the hook returns.
  NoGradGuard no_grad;
  TensorImpl& impl = tensor.get();
  if (transforms_active() && is_output) [[unlikely]]
    make_transform_meta(impl);  // its tangents come later
  const bool has_more = has_transform_meta(impl);
  const TensorBase seen = has_more    ? without_history(tensor)
                          : is_output ? TensorBase::adopt(new_alias(impl))
                                      : tensor;
  const uint32_t version = seen.version();
  auto packed = std::make_unique<PackedTensor>();
  packed->value = hooks->pack(seen);
  EAGRE_CHECK(seen.version() == version, kAutograd,
              "A saved tensor pack hook is modifying its input in place, which would change the "
              "values for everybody else. Hint: clone() the tensor first");
  packed->functions = std::move(hooks);
  packed->history = is_output ? Edge{{}, impl.output_slot} : gradient_edge(tensor);
  packed->sizes = impl.sizes();
  packed->dtype = impl.key.dtype;
  if (has_more) [[unlikely]]
    packed->transform_meta = IntrusivePtr<TransformMeta>::share(transform_meta_of(impl));
  return packed;
}

// What hooks made of a tensor, with the tangents of the latter: hooks see values only.
TensorBase with_tangents(TensorBase tensor, const TransformMeta& from) {
  for (const Tangent* each = from.tangents.get(); each != nullptr; each = each->next.get()) {
    if (!each->value.defined()) continue;
    const TransformMeta* known = transform_meta_of(tensor.get());
    if (known != nullptr && known->tangent(*each->level) != nullptr) continue;
    if (known == nullptr) tensor = without_history(tensor);
    make_transform_meta(tensor.get()).set_tangent(*each->level, each->value);
  }
  return tensor;
}

}  // namespace

InferenceSaver::InferenceSaver() { ++inference_savers; }
InferenceSaver::~InferenceSaver() { --inference_savers; }

uint32_t SavedTensor::lock() {
  while (true) {
    const uint32_t state = state_.fetch_or(kLocked, std::memory_order_acquire);
    if ((state & kLocked) == 0) return state;
    std::this_thread::yield();
  }
}

void SavedTensor::save_unusual(TensorImpl& impl) {
  EAGRE_CHECK(!impl.has(TensorImpl::kInference) || inference_savers > 0, kAutograd,
              "Inference tensors cannot be saved for backward. Hint: clone() one outside of "
              "inference mode gives a normal tensor with its values");
  impl.retain();
  keep(&impl, impl.grad_node == nullptr ? kSavedLeaf : 0);
}

void SavedTensor::save_unusual_output(const TensorBase& tensor) {
  if (thread_state.modes.unusual & kSavedTensorHooks) return pack(tensor, kIsOutput);
  // What the output carries, and what it will be given after this, is the alias's as well.
  make_transform_meta(tensor.get());
  TensorImpl* alias = without_history(tensor).detach_impl();
  alias->output_slot = tensor.get().output_slot;
  keep(alias, kIsOutput);
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
  unlock(kFreed);
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
  // Of another precision is what hooks are for: formulas compute with it, gradients are cast.
  const auto fits = [](DType dtype, DType saved) {
    return dtype == saved || (is_differentiable(dtype) && is_differentiable(saved));
  };
  EAGRE_CHECK(tensor.defined() && tensor.sizes() == Dims(packed->sizes) &&
                  fits(tensor.dtype(), packed->dtype),
              kAutograd, "the unpack hook for '", argument, "' of ", node.name(),
              " did not return a ", packed->dtype, " tensor of shape ", Dims(packed->sizes));
  if (packed->transform_meta) tensor = with_tangents(std::move(tensor), *packed->transform_meta);
  const Edge& history = packed->history;
  Node* maker = (state & kIsOutput) != 0 ? &node : history.node.get();
  return with_history(std::move(tensor), maker, history.slot, true);
}

TensorBase SavedTensor::read(Node& node, const BackwardCall& call, const char* argument) {
  const uint32_t state = lock();
  const auto take = [&]() __attribute__((always_inline)) {
    TensorImpl* impl = impl_;
    if (call.keep_graph()) {
      impl->retain();
      unlock(state);
    } else {
      impl_ = nullptr;
      unlock(kFreed);
    }
    TensorBase tensor = TensorBase::adopt(impl);
    if (impl->version->value.load(std::memory_order_relaxed) != version_) [[unlikely]] {
      raise_modified(node, argument, *impl, version_);
    }
    return tensor;
  };
  if ((state & (kHeld | kPacked | kIsOutput)) != kHeld) [[unlikely]] {
    if ((state & (kHeld | kPacked)) != kHeld) return read_unusual(state, node, call, argument);
    TensorBase output = take();
    const uint32_t slot = output.get().output_slot;
    return with_history(std::move(output), &node, slot, false);
  }
  TensorBase tensor = take();
  const TensorImpl& impl = *tensor.impl();
  if (impl.has(TensorImpl::kWasDetached)) [[unlikely]] {
    if (impl.grad_node == nullptr && (state & kSavedLeaf) == 0) raise_detached(node, argument);
  }
  return tensor;
}

TensorBase SavedTensor::look(Node& node, const char* argument) {
  if ((state_.load(std::memory_order_acquire) & (kHeld | kFreed)) == 0) return {};
  const AutoGradMode recording(true);
  return read(node, BackwardCall(nullptr, nullptr, 0, true), argument);
}

SavedTensor::Kept SavedTensor::kept() {
  const uint32_t state = lock();
  Kept kept;
  if ((state & kPacked) != 0) {
    kept = {packed_->value, packed_->functions};
  } else if ((state & kHeld) != 0) {
    kept.value = TensorBase::share(impl_);
  }
  unlock(state);
  return kept;
}

void SavedTensor::register_hooks(std::shared_ptr<PackHooks> hooks) {
  const auto check = [](uint32_t state) {
    EAGRE_CHECK((state & kFreed) == 0, kAutograd,
                "Calling register_hooks on a saved tensor after it has been freed. Hint: pass "
                "retain_graph=True to the backward() that freed it");
    EAGRE_CHECK((state & kHeld) != 0, kAutograd,
                "Calling register_hooks on a saved tensor with value None is forbidden");
    EAGRE_CHECK((state & kPacked) == 0, kAutograd,
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: "
                "only one pair of hooks is allowed at a time");
  };
  const TensorBase tensor = kept().value;
  uint32_t state = state_.load(std::memory_order_acquire);
  check(state);
  EAGRE_CHECK(tensor.version() == version_, kAutograd,
              "Calling register_hooks on a saved tensor that has been modified by an inplace "
              "operation since it was saved: its values are lost");
  auto packed = pack_with(std::move(hooks), tensor, (state & kIsOutput) != 0);
  // The hook ran outside of the lock: the graph may have been freed meanwhile.
  state = lock();
  if ((state & (kHeld | kPacked)) != kHeld) {
    unlock(state);
    return check(state);
  }
  TensorImpl* impl = impl_;
  packed_ = packed.release();
  unlock(state | kPacked);
  impl->release();
}

void SavedTensor::pack(const TensorBase& tensor, uint32_t state) {
  // Held: the hook may end its own scope.
  auto hooks =
      static_cast<SavedTensorHookScope*>(thread_state.modes.saved_tensor_hooks)->functions();
  packed_ = pack_with(std::move(hooks), tensor, (state & kIsOutput) != 0).release();
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
