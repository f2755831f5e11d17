// Nodes of the gradient graph, as Python sees them.
#pragma once

#include <eagre/autograd/node.h>

#include "object.h"

namespace eagre::python {

struct PyNode {
  PyObject_HEAD IntrusivePtr<autograd::Node> node;  // of a context: see context_object.h
  bool shows_graph;                                 // to the garbage collector
};
extern PyTypeObject node_type;

// The one object of a node, as long as anybody looks at it; None for null.
PyObject* new_node_object(IntrusivePtr<autograd::Node> node);
// Of an object that is one, else null.
IntrusivePtr<autograd::Node> node_in(PyObject* object);

bool add_node_types(PyObject* module);

}  // namespace eagre::python
