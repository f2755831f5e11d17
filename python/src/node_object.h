// Nodes of the gradient graph and handles of hooks, as Python sees them.
#pragma once

#include <eagre/api/tensor_handle.h>

#include "object.h"

namespace eagre::python {

// None for null. Two objects for one node are equal.
PyObject* new_node_object(IntrusivePtr<autograd::Node> node);
PyObject* new_hook_handle(HookHandle handle);

bool add_node_types(PyObject* module);

}  // namespace eagre::python
