// The pieces that the Tensor type is made of, each from a file of its own.
#pragma once

#include <eagre/base/span.h>

#include "interpreter/object.h"

namespace eagre::python {

extern const PyMethodDef kTensorMethods[];    // methods.cpp
extern const PyMethodDef kAutogradMethods[];  // autograd.cpp
extern PyGetSetDef tensor_properties[];       // properties.cpp

// Generated from the op records: gen/python/table.cpp.
// Tables that end with an empty row.
Span<const PyMethodDef* const> generated_methods();
Span<const PyMethodDef* const> generated_functions();
void fill_operators(PyNumberMethods& slots);
PyObject* compare_tensors(PyObject* self, PyObject* other, int comparison);

}  // namespace eagre::python
