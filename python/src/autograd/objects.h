// The layouts of the Python objects of nodes and contexts.
//
// The context ("ctx") of a call of an autograd.Function is where forward leaves things for
// backward. It is the Node object of the call's node too, the grad_fn of the results.
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

#include <eagre/autograd/tape/node.h>
#include <eagre/core/tensor_list.h>

#include "interpreter/object.h"

namespace eagre::python {

struct PyNode {
  PyObject_HEAD IntrusivePtr<autograd::Node> node;  // of a context: see below
  bool shows_graph;                                 // to the garbage collector
};
extern PyTypeObject node_type;  // node_object.cpp
// What the object shows of the graph behind its node, if it holds one (node_object.cpp). See Note
// [Two looks].
int traverse_graph(PyNode& object, visitproc visit, void* arg);

class FunctionNode;

struct PyContext {
  PyNode base;
  FunctionNode* loose;            // guarded by `lock`: the node may end without the GIL
  std::atomic<bool> lock;         //
  bool drops_gradients;           // missing ones come to backward as None instead of zeros
  bool drops_non_differentiable;  // the same for outputs that have none
  bool is_pure_view;              // backward is that of the view which forward returns
  int backward_calls;             // that run now; meanwhile the engine holds the node
  bool gave_up_saved;             // clear_saved_tensors_on_access
  PyObject* function;             // the class that the user wrote
  PyObject* needs_input_grad;     // a tuple of bools
  PyObject* to_save;              // these are tuples of tensors, or null
  PyObject* to_save_forward;      //
  PyObject* dirty;                //
  PyObject* non_differentiable;   //
  const TensorVector* for_jvp;    // while jvp runs: what was saved for it
};

extern PyTypeObject context_type;  // context_object.cpp

inline bool is_context(PyObject* object) { return PyObject_TypeCheck(object, &context_type); }
inline PyContext& context_of(PyObject* object) { return *reinterpret_cast<PyContext*>(object); }

}  // namespace eagre::python
