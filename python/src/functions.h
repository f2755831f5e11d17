// Functions of the module that are not operators.
#pragma once

#include "object.h"

namespace eagre::python {

extern const PyMethodDef kFunctions[];

}  // namespace eagre::python
