// tensor[…] in Python.
#pragma once

#include "object.h"

namespace eagre::python {

PyObject* tensor_subscript(PyObject* self, PyObject* key);
int tensor_assign_subscript(PyObject* self, PyObject* key, PyObject* value);
PyObject* tensor_iterator(PyObject* self);

}  // namespace eagre::python
