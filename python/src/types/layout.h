// eagre.layout: the Python objects of layouts.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// The layout of all tensors; borrowed.
PyObject* strided_layout();
bool is_layout(PyObject* object);

bool add_layouts(PyObject* module);

}  // namespace eagre::python
