// What the collector sees of the graph. It follows only what belongs to the tensor alone: a node
// that others hold too may be reached from elsewhere, and then nothing of it is garbage.
#include "graph_traverse.h"

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/hooks.h>

#include "context_object.h"
#include "held.h"
#include "tensor_object.h"

namespace eagre::python {
namespace {

autograd::AutogradMeta* meta_of(const TensorImpl& tensor) {
  return static_cast<autograd::AutogradMeta*>(tensor.autograd.load(std::memory_order_acquire));
}

// The extras of the node that the gradient of this tensor flows to, if the tensor alone has it.
autograd::NodeExtras* own_extras(const TensorImpl& tensor) {
  if (tensor.grad_node != nullptr) {
    return tensor.grad_node->is_held_once()
               ? static_cast<autograd::Node*>(tensor.grad_node)->extras()
               : nullptr;
  }
  autograd::AutogradMeta* meta = meta_of(tensor);
  return meta == nullptr ? nullptr : meta->accumulate.extras();
}

int traverse_hooks(const autograd::HookTable& hooks, visitproc visit, void* arg) {
  for (size_t kind = 0; kind < autograd::HookTable::kKinds; ++kind) {
    const auto list = hooks.list(static_cast<autograd::HookKind>(kind));
    if (list == nullptr) continue;
    for (const auto& registered : *list) {
      Py_VISIT(static_cast<PyObject*>(registered.hook->language_object()));
    }
  }
  return 0;
}

// The wrapper of a tensor that nobody but the caller has, if it is kept by that tensor.
PyObject* kept_wrapper(const TensorBase& tensor) {
  if (!tensor.defined() || tensor.get().refs.load(std::memory_order_acquire) != 1) return nullptr;
  auto* wrapper = static_cast<PyTensor*>(tensor.get().language_object.load());
  const bool is_kept = wrapper != nullptr && wrapper->kept.load() != nullptr;
  return is_kept ? reinterpret_cast<PyObject*>(wrapper) : nullptr;
}

}  // namespace

int traverse_held_by(TensorImpl& tensor, visitproc visit, void* arg) {
  if (autograd::NodeExtras* extras = own_extras(tensor)) {
    if (const autograd::HookTable* hooks = extras->hooks.load(std::memory_order_acquire)) {
      if (const int result = traverse_hooks(*hooks, visit, arg)) return result;
    }
    if (extras->user_data != nullptr) Py_VISIT(static_cast<Held*>(extras->user_data.get())->get());
  }
  if (tensor.grad_node != nullptr && tensor.grad_node->is_held_once()) {
    Py_VISIT(context_held_by(static_cast<autograd::Node&>(*tensor.grad_node)));
  }
  if (autograd::AutogradMeta* meta = meta_of(tensor)) Py_VISIT(kept_wrapper(meta->grad));
  return 0;
}

void clear_held_by(TensorImpl& tensor) {
  if (autograd::NodeExtras* extras = own_extras(tensor)) {
    if (autograd::HookTable* hooks = extras->hooks.load(std::memory_order_acquire)) {
      hooks->remove_all();
    }
    extras->user_data.reset();
  }
  if (autograd::AutogradMeta* meta = meta_of(tensor)) {
    TensorBase none;
    meta->swap_grad(none);
  }
  drop_released();
}

}  // namespace eagre::python
