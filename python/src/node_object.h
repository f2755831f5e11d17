// Nodes of the gradient graph, as Python sees them.
#pragma once

#include <eagre/autograd/node.h>

#include "object.h"

namespace eagre::python {

// None for null. Two objects for one node are equal.
PyObject* new_node_object(IntrusivePtr<autograd::Node> node);
// Of an object that is one, else null.
autograd::Node* node_in(PyObject* object);

bool add_node_types(PyObject* module);

}  // namespace eagre::python
