// Tensors as NumPy arrays.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// An array on the tensor's memory. Raises for a tensor that requires grad or is not on the CPU.
PyObject* to_numpy(PyObject* tensor);

// The buffer protocol of Tensor, which NumPy reads.
extern PyBufferProcs tensor_buffer;

}  // namespace eagre::python
