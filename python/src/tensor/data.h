// eagre.tensor(data): tensors from numbers, nested lists, arrays and tensors.
#pragma once

#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

#include "interpreter/object.h"

namespace eagre::python {

TensorBase tensor_from_data(PyObject* data, const TensorOptions& options);

}  // namespace eagre::python
