// The pieces that the Tensor type is made of, each from a file of its own.
#pragma once

#include <vector>

#include "object.h"

namespace eagre::python {

void dealloc_tensor(PyObject* self);  // tensor_object.cpp

extern const PyMethodDef kTensorMethods[];    // tensor_methods.cpp
extern const PyMethodDef kAutogradMethods[];  // tensor_autograd.cpp
extern PyGetSetDef tensor_properties[];       // tensor_properties.cpp
extern PyBufferProcs tensor_buffer;           // array_out.cpp

// Conversions to Python numbers, tensor_number.cpp.
void fill_number_conversions(PyNumberMethods& slots);
Py_ssize_t tensor_length(PyObject* self);

// Generated from the op records: gen/python/table.cpp.
extern const PyMethodDef kGeneratedMethods[];
extern const PyMethodDef kGeneratedFunctions[];
void fill_operators(PyNumberMethods& slots);
PyObject* compare_tensors(PyObject* self, PyObject* other, int comparison);

}  // namespace eagre::python
