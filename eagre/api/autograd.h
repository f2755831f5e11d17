// Gradients as functions: backward() and grad() for several tensors, and hooks on saved tensors.
#pragma once

#include <memory>
#include <vector>

#include <eagre/api/tensor.h>
#include <eagre/autograd/engine.h>
#include <eagre/autograd/saved_tensor.h>

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
  return add_hook(std::make_unique<autograd::CallableHook<decltype(call)>>(std::move(call)));
}

namespace autograd {

using TensorList = std::vector<Tensor>;

// Empty `gradients` stand for ones; then every tensor must have one element.
EAGRE_API void backward(const TensorList& tensors, const TensorList& gradients = {},
                        bool retain_graph = false, bool create_graph = false,
                        CallSite at = std::source_location::current());

// The gradients of `outputs` with respect to `inputs`; .grad of leaves is not touched.
EAGRE_API TensorList grad(const TensorList& outputs, const TensorList& inputs,
                          const TensorList& gradients = {}, bool retain_graph = false,
                          bool create_graph = false, bool allow_unused = false,
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
