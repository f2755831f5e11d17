// Functions of the module about memory shared with other libraries.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

extern const PyMethodDef kDLPackFunctions[];
extern const PyMethodDef kStorageFunctions[];

}  // namespace eagre::python
