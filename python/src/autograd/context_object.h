// The type of contexts, from which autograd.Function derives.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

bool add_context_type(PyObject* module);

}  // namespace eagre::python
