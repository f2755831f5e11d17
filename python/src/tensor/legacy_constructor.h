// Tensor(2, 3), Tensor([1, 2]): the constructor of old code.
#pragma once

#include <eagre/core/tensor_base.h>

#include "interpreter/object.h"

namespace eagre::python {

// What Tensor(*args, **keywords) holds: sizes with any values, or data in the default dtype, or the
// memory of another tensor.
TensorBase tensor_from_constructor(PyObject* args, PyObject* keywords);

}  // namespace eagre::python
