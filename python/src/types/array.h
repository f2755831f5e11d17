// NumPy arrays, and anything else with the buffer protocol, as tensors. NumPy itself is not needed.
#pragma once

#include <optional>

#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

#include "interpreter/object.h"

namespace eagre::python {

// An array or a NumPy scalar: has the buffer protocol, and is neither a tensor nor plain bytes.
bool is_array_like(PyObject* object);

// Python's or NumPy's, which is no number of theirs.
bool is_bool(PyObject* object);

// In `array ∘= tensor`, where the array has left the work to the tensor: the name would become the
// tensor's, while the array stays as it is.
void refuse_inplace(const char* op, PyObject* array);

// A copy of its values. Raises in the name of `op` for a dtype that tensors do not have.
TensorBase tensor_from_array(const char* op, PyObject* array);
// A tensor on its memory; a read-only array is copied, with a warning.
TensorBase share_array(PyObject* array);

// The dtype of its elements; none for one that tensors do not have.
std::optional<DType> dtype_of_array(PyObject* array);

// The value of a 0-dim array or NumPy scalar; false for anything with dimensions.
bool number_from_array(PyObject* array, Scalar& out);

}  // namespace eagre::python
