// tensor[…] in Python.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

PyObject* tensor_subscript(PyObject* self, PyObject* key);
int tensor_assign_subscript(PyObject* self, PyObject* key, PyObject* value);
PyObject* tensor_iterator(PyObject* self);
// element in self
int tensor_contains(PyObject* self, PyObject* element);

}  // namespace eagre::python
