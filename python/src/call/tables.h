// Functions of the module that are about calls.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// Results with names.
extern const PyMethodDef kResultFunctions[];
// __torch_function__ and modes.
extern const PyMethodDef kOverrideFunctions[];
bool add_override_types(PyObject* module);
// Nested values.
extern const PyMethodDef kTreeFunctions[];

}  // namespace eagre::python
