// Methods of the public tensor that are not operators.
#include <eagre/api/tensor_handle.h>

#include <eagre/api/print.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/engine.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/to_device.h>
#include <eagre/dispatch/transfer.h>

namespace eagre {

const Tensor& TensorHandle::requires_grad_(bool value) const {
  autograd::set_requires_grad(*this, value);
  return static_cast<const Tensor&>(*this);
}

Tensor TensorHandle::grad() const { return autograd::grad_of(*this); }
void TensorHandle::set_grad(const TensorBase& grad) const { autograd::set_grad(*this, grad); }
Tensor TensorHandle::detach() const { return autograd::detach(*this); }

void TensorHandle::backward(const TensorBase& gradient, bool retain_graph, bool create_graph,
                            CallSite at) const {
  const TensorBase root = *this;
  autograd::backward_impl({&root, 1}, {&gradient, 1}, {retain_graph || create_graph, create_graph},
                          at);
}

HookHandle TensorHandle::add_hook(std::unique_ptr<autograd::TensorHook> hook) const {
  autograd::Edge edge = autograd::gradient_edge(*this);
  EAGRE_CHECK(static_cast<bool>(edge.node), kAutograd,
              "cannot register a hook on a tensor that doesn't require gradient");
  const uint64_t id = edge.node->add_hook(static_cast<uint16_t>(edge.slot), std::move(hook));
  return {std::move(edge), id};
}

TensorBase TensorHandle::single_on_host() const {
  TensorBase here = dispatch::on_device(*this, Device());
  EAGRE_CHECK(here.numel() == 1, kInvalidArgument, "item(): a tensor with ", here.numel(),
              " elements cannot be converted to a number");
  return here;
}

Tensor TensorHandle::to(DType target, CallSite at) const {
  return dtype() == target ? TensorBase(*this) : ops::cast(*this, target, at);
}
Tensor TensorHandle::to(Device target, CallSite at) const {
  return device() == target ? TensorBase(*this) : ops::to_device(*this, target, at);
}
Tensor TensorHandle::cpu(CallSite at) const { return to(Device(), at); }

Tensor TensorHandle::contiguous(CallSite at) const {
  if (is_contiguous()) return TensorBase(*this);
  TensorBase copy = ops::clone(*this, at);
  if (copy.is_contiguous()) return copy;
  // clone() keeps a dense order of dimensions; only the bytes move here, not the history.
  TensorBase packed = dispatch::as_contiguous(copy);
  if (!copy.requires_grad()) return packed;
  TensorImpl& target = packed.get();
  copy.get().grad_node->retain();
  target.grad_node = copy.get().grad_node;
  target.output_slot = copy.get().output_slot;
  return packed;
}

std::string TensorHandle::str() const { return to_string(*this); }

}  // namespace eagre
