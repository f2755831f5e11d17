// The Tensor type, whose object is declared with the wrapper in types/tensor.h.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

bool add_tensor_type(PyObject* module);

}  // namespace eagre::python
