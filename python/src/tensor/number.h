// The values of a tensor as Python objects.
#pragma once

#include <eagre/core/tensor_base.h>

#include "interpreter/object.h"

namespace eagre::python {

// The only element, as a Python number; any other count is an error in the name of `op`.
PyObject* item(const char* op, const TensorBase& tensor);
// Nested lists; a number for a 0-dim tensor.
PyObject* to_list(const TensorBase& tensor);

// Slots of the type: int(x), float(x), bool(x), len(x), …
void fill_number_conversions(PyNumberMethods& slots);
Py_ssize_t tensor_length(PyObject* self);

}  // namespace eagre::python
