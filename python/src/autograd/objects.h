// The context ("ctx") of a call of an autograd.Function: where forward leaves things for backward.
// It is the Node object of the call's node too, the grad_fn of the results.
//
// Note [Owners of contexts]
// Context and node need each other, but only one holds the other, or neither would ever end. As
// long as Python refers to the context, it holds the node (`base.node`), and the node only knows
// it. When the last reference from Python goes while results still need the node, the finalizer
// turns that around: from then on the node holds the context, which only knows the node (`loose`).
// Whoever asks the node for its object turns it back. Weak references and the module gc lead to a
// context without asking. If the node holds it then, the context must not hand out the node:
// another thread may drop the last hold on the graph at that instant, without the GIL.
#pragma once

#include <atomic>

#include <eagre/core/tensor_list.h>

#include "node_object.h"

namespace eagre::python {

class FunctionNode;

struct PyContext {
  PyNode base;
  FunctionNode* loose;           // guarded by `lock`: the node may end without the GIL
  std::atomic<bool> lock;        //
  bool drops_gradients;          // missing ones come to backward as None instead of zeros
  int backward_calls;            // that run now; meanwhile the engine holds the node
  bool gave_up_saved;            // clear_saved_tensors_on_access
  PyObject* function;            // the class that the user wrote
  PyObject* needs_input_grad;    // a tuple of bools
  PyObject* to_save;             // these are tuples of tensors, or null
  PyObject* to_save_forward;     //
  PyObject* dirty;               //
  PyObject* non_differentiable;  //
  const TensorVector* for_jvp;   // while jvp runs: what was saved for it
};

extern PyTypeObject context_type;

inline bool is_context(PyObject* object) { return PyObject_TypeCheck(object, &context_type); }
inline PyContext& context_of(PyObject* object) { return *reinterpret_cast<PyContext*>(object); }

// Null where there is none: before the end of forward, without gradients, after the graph's end.
// Raises where it must not be handed out.
IntrusivePtr<autograd::Node> node_of_context(PyObject* context);
// A new reference if the node belongs to a Function, else null.
PyObject* context_of_node(autograd::Node& node);
// The same, but borrowed and without any effect on who holds whom: for the garbage collector.
PyObject* context_held_by(const autograd::Node& node);

bool add_context_type(PyObject* module);

}  // namespace eagre::python
