// The Python object of a tensor: a wrapper around the handle.
//
// A tensor has at most one wrapper at a time; the impl points back to it without owning it, so
// `x.grad is x.grad`. A wrapper that nobody refers to any more is dropped and made again when
// needed.
#pragma once

#include <eagre/core/tensor_base.h>

#include "held.h"

namespace eagre::python {

struct PyTensor {
  PyObject_HEAD TensorBase tensor;
};
static_assert(sizeof(PyTensor) == 24);

extern PyTypeObject tensor_type;

inline bool is_tensor(PyObject* object) { return Py_IS_TYPE(object, &tensor_type); }
// Of an object that is one.
inline const TensorBase& tensor_of(PyObject* object) {
  return reinterpret_cast<PyTensor*>(object)->tensor;
}

// A new reference to the wrapper; None for an undefined tensor.
PyObject* wrap(TensorBase tensor);

bool add_tensor_type(PyObject* module);

}  // namespace eagre::python
