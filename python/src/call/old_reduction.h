// The keywords `size_average` and `reduce`, which losses took before `reduction`.
#pragma once

#include <Python.h>

namespace eagre::python {

bool has_old_reduction(PyObject* names);
// Is keyword number `k` one of the two? Then what both mean goes to `reduction`, if anything.
bool bind_old_reduction(PyObject* const* args, PyObject* names, Py_ssize_t k, PyObject*& reduction);

}  // namespace eagre::python
