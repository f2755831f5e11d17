// Tuples of tensors.
#pragma once

#include <vector>

#include "errors.h"
#include "tensor_object.h"

namespace eagre::python {

// None for undefined ones.
inline Ref tensor_tuple(const std::vector<TensorBase>& tensors) {
  Ref tuple(checked(PyTuple_New(static_cast<Py_ssize_t>(tensors.size()))));
  for (size_t i = 0; i < tensors.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), checked(wrap(tensors[i])));
  }
  return tuple;
}

}  // namespace eagre::python
