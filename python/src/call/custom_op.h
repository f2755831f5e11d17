// Operators that libraries of users register, as Python objects.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

bool add_custom_op_type(PyObject* module);

// Finding operators and loading libraries.
extern const PyMethodDef kCustomOpFunctions[];

}  // namespace eagre::python
