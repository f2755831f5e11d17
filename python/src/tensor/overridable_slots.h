// Slots and properties of Tensor that are written by hand ask who takes over the call, too.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// Before the type is ready: replaces what it has by functions that ask first.
void make_overridable(PyTypeObject& type);

}  // namespace eagre::python
