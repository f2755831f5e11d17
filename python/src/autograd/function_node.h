// The node of an autograd.Function whose backward is written in Python.
#pragma once

#include <string>

#include <eagre/autograd/function/custom_function.h>

#include "interpreter/held.h"

namespace eagre::python {

class FunctionNode final : public autograd::CustomNode {
 public:
  // The context holds the node from now on.
  static IntrusivePtr<FunctionNode> make(Shape shape, uint32_t site, PyObject* context);
  ~FunctionNode() override;

  std::string name() const override { return name_; }

  // --- see Note [Owners of contexts]; all with the GIL held ---
  // Takes over the caller's reference to the context.
  void take_context(PyObject* reference);
  // The opposite: a new reference for the caller.
  PyObject* give_context();
  PyObject* context() const { return context_; }
  bool holds_context() const { return held_ != nullptr; }
  void forget_context() { context_ = nullptr; }
  // Does anybody besides the context hold the node?
  bool is_shared() const { return refs_.load(std::memory_order_acquire) > 1; }

 protected:
  TensorVector run_backward(TensorVector gradients) override;
  bool is_once_differentiable() const override;

 private:
  FunctionNode(Shape shape, uint32_t site, PyObject* context);

  std::string name_;
  PyObject* context_;  // null if it ended before the node, which the garbage collector may do
  HeldEntry* held_ = nullptr;
};

// Null where there is none: before the end of forward, without gradients, after the graph's end.
// Raises where it must not be handed out.
IntrusivePtr<autograd::Node> node_of_context(PyObject* context);
// A new reference if the node belongs to a Function, else null.
PyObject* context_of_node(autograd::Node& node);
// The same, but borrowed and without any effect on who holds whom: for the garbage collector.
PyObject* context_held_by(const autograd::Node& node);

}  // namespace eagre::python
