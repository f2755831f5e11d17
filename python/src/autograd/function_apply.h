// Function.apply().
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// A METH_FASTCALL class method: `function` is the user's subclass of autograd.Function.
PyObject* apply_function(PyObject* function, PyObject* const* args, Py_ssize_t count,
                         PyObject* names);

}  // namespace eagre::python
