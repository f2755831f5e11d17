// What nodes saved, as Python sees it: the attributes _saved_* and _raw_saved_* of a node.
#pragma once

#include <string_view>

#include <eagre/autograd/tape/node.h>

#include "interpreter/object.h"

namespace eagre::python {

// Is this the name of such an attribute?
bool is_saved_name(std::string_view attribute);
// Its value as a new reference; null without an error set if the node saved nothing of that name.
PyObject* saved_attribute(autograd::Node& node, std::string_view attribute);
// Appends the names of all that the node has to a list.
void add_saved_names(autograd::Node& node, PyObject* list);

// A SavedTensor for every tensor that the node saved, as a tuple.
PyObject* raw_saved_tensors(autograd::Node& node);

bool add_saved_tensor_type(PyObject* module);

}  // namespace eagre::python
