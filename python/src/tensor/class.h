// Classes that derive from Tensor.
#pragma once

#include <eagre/core/tensor_base.h>

#include "interpreter/object.h"

namespace eagre::python {

// The class of Tensor. It gives derived classes the slots of lifetime/wrapper.h, which CPython
// would replace by its own.
extern PyTypeObject tensor_metaclass;

// Gives a class these slots, unless it has them already.
void adopt_class(PyTypeObject* type);

// An instance of a class that derives from Tensor. The tensor must have no wrapper yet.
PyObject* wrap_as(PyTypeObject* type, TensorBase tensor);

extern const PyMethodDef kClassMethods[];
PyObject* new_tensor_object(PyTypeObject* type, PyObject* args, PyObject* names);
int set_tensor_attribute(PyObject* self, PyObject* name, PyObject* value);
// x.__class__
PyObject* class_of_tensor(PyObject* self, void*);
int set_class_of_tensor(PyObject* self, PyObject* value, void*);
PyObject* tensor_attributes(PyObject* self, void*);
int set_tensor_attributes(PyObject* self, PyObject* value, void*);

}  // namespace eagre::python
