// Functions of the module that make tensors or say what they hold.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// tensor() and from_numpy().
extern const PyMethodDef kCreationFunctions[];
// About dtypes.
extern const PyMethodDef kDTypeFunctions[];
// Methods written in Python.
extern const PyMethodDef kLazyMethodFunctions[];

}  // namespace eagre::python
