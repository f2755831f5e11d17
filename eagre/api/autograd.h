// Gradients as functions: backward() and grad() for several tensors, and hooks on saved tensors.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <eagre/api/tensor.h>
#include <eagre/autograd/engine/engine.h>
#include <eagre/autograd/tape/saved_tensor.h>

namespace eagre {

template <class F>
HookHandle TensorHandle::register_hook(F f) const {
  auto call = [f = std::move(f)](const TensorBase& gradient) mutable -> TensorBase {
    const Tensor argument = gradient;
    if constexpr (std::is_void_v<decltype(f(argument))>) {
      f(argument);
      return {};
    } else {
      return f(argument);
    }
  };
  return autograd::add_tensor_hook(
      *this, std::make_shared<autograd::CallableHook<decltype(call)>>(std::move(call)));
}

template <class F>
HookHandle TensorHandle::register_post_accumulate_grad_hook(F f) const {
  auto call = [f = std::move(f)](const TensorBase& leaf) mutable { f(Tensor(leaf)); };
  return autograd::add_accumulated_hook(
      *this, std::make_shared<autograd::CallableAccumulatedHook<decltype(call)>>(std::move(call)));
}

namespace autograd {

using variable_list = std::vector<Tensor>;

// Empty `grad_tensors` stand for ones; then every tensor must have one element. With `inputs` only
// these, leaves or not, get gradients.
EAGRE_API void backward(TensorList tensors, TensorList grad_tensors = {},
                        std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                        TensorList inputs = {}, CallSite at = std::source_location::current());

// The gradients of `outputs` with respect to `inputs`; .grad of leaves is not touched. An input
// that was not used is an error, an undefined tensor with allow_unused, or zeros with
// materialize_grads. No gradient flows through `no_grad_vars`.
EAGRE_API variable_list grad(TensorList outputs, TensorList inputs, TensorList grad_outputs = {},
                             std::optional<bool> retain_graph = std::nullopt,
                             bool create_graph = false, bool allow_unused = false,
                             bool materialize_grads = false, TensorList no_grad_vars = {},
                             CallSite at = std::source_location::current());

// grad_impl() of a batch of gradients: dimension 0 of each counts them, the same number in all, and
// of the results too. There may be none at all; what was not used stays undefined.
EAGRE_API void batched_grad_impl(Span<Edge> outputs, Span<const Edge> inputs,
                                 Span<const TensorBase> grad_outputs, const GradOptions& options,
                                 Span<TensorBase> results, CallSite at);

// The same for a batch of gradients ("is_grads_batched"): dimension 0 of `grad_outputs`
// counts them, and of the results too.
EAGRE_API variable_list batched_grad(TensorList outputs, TensorList inputs, TensorList grad_outputs,
                                     std::optional<bool> retain_graph = std::nullopt,
                                     bool create_graph = false, bool allow_unused = false,
                                     bool materialize_grads = false,
                                     CallSite at = std::source_location::current());

// While in scope: what nodes save goes through pack(tensor) and comes back through unpack(packed).
class SavedTensorHooks : public SavedTensorHookScope {
 public:
  template <class Pack, class Unpack>
  SavedTensorHooks(Pack pack, Unpack unpack)
      : SavedTensorHookScope(
            std::make_shared<Callables<Pack, Unpack>>(std::move(pack), std::move(unpack))) {}

 private:
  template <class Pack, class Unpack>
  struct Callables final : Functions {
    Callables(Pack pack, Unpack unpack) : on_save(std::move(pack)), on_use(std::move(unpack)) {}
    TensorBase pack(const TensorBase& tensor) override { return on_save(Tensor(tensor)); }
    TensorBase unpack(const TensorBase& packed) override { return on_use(Tensor(packed)); }
    Pack on_save;
    Unpack on_use;
  };
};

}  // namespace autograd
}  // namespace eagre
