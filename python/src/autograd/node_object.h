// Nodes of the gradient graph, as Python sees them.
#pragma once

#include <eagre/autograd/tape/node.h>

#include "interpreter/object.h"

namespace eagre::python {

// The one object of a node, as long as anybody looks at it; None for null.
PyObject* new_node_object(IntrusivePtr<autograd::Node> node);
// Of an object that is one, else null.
IntrusivePtr<autograd::Node> node_in(PyObject* object);

bool add_node_types(PyObject* module);

}  // namespace eagre::python
