// What Python code keeps with a tensor: its attributes, and those in __slots__ of derived classes.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// Both.
int traverse_attributes(PyObject* tensor, visitproc visit, void* arg);
void clear_slots(PyObject* tensor);

}  // namespace eagre::python
