// The Python objects that a tensor or a node holds by way of C++: hooks, what users keep with
// nodes, tensors that are kept for a graph.
//
// Note [Two looks]
// The collector looks at every object twice. First it takes away the references that it is shown:
// each must be shown once, by an object that is garbage only if all who hold it are. So a graph is
// followed as far as all holds on it come from one object, and if two objects lead into each other,
// the first that is asked shows what they share. Then the collector follows what is still held, and
// is shown everything that can be reached.
#pragma once

#include <vector>

#include <eagre/autograd/tape/node.h>
#include <eagre/core/tensor_impl.h>

#include "types/tensor.h"

namespace eagre::python {

// What the first look of an object shows of the graph. A wrapper or node object that shows
// something notes it for the second look.
class OwnedGraph {
 public:
  explicit OwnedGraph(PyTensor& wrapper);
  // Which `object` holds, and nobody else.
  OwnedGraph(autograd::Node& node, PyObject* object);

  // All holds on the tensor that are not its wrapper's come from its own graph.
  bool holds_its_start() const { return holds_its_start_; }
  bool is_empty() const { return found_.empty(); }
  int traverse(visitproc visit, void* arg) const;

 private:
  std::vector<PyObject*> found_;
  bool holds_its_start_ = false;
};

// The Python object that a node holds besides hooks and the user's dict, borrowed, or null: the
// context of a Function. Which nodes have one is known in autograd/, which sets this at the start.
using ObjectHeldBy = PyObject* (*)(const autograd::Node&);
void set_object_held_by(ObjectHeldBy function);

// A collection begins or ends.
void forget_reported();

// For the second look.
int traverse_whole_graph(TensorImpl& tensor, visitproc visit, void* arg);
int traverse_whole_graph(autograd::Node& node, visitproc visit, void* arg);

// Hooks and what users keep with the node that the gradient of this tensor flows to.
int traverse_node_of(const TensorImpl& tensor, visitproc visit, void* arg);
// For tp_clear: lets go of them, and of .grad.
void clear_held_by(TensorImpl& tensor);

}  // namespace eagre::python
