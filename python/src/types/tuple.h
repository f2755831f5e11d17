// Tuples, of anything and of tensors.
#pragma once

#include <vector>

#include "interpreter/errors.h"
#include "types/tensor.h"

namespace eagre::python {

// Of element(i), new references.
template <class F>
PyObject* tuple_of(size_t count, F&& element) {
  Ref tuple(checked(PyTuple_New(static_cast<Py_ssize_t>(count))));
  for (size_t i = 0; i < count; ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), checked(element(i)));
  }
  return tuple.give();
}

// None for undefined ones.
inline Ref tensor_tuple(const std::vector<TensorBase>& tensors) {
  return Ref(tuple_of(tensors.size(), [&](size_t i) { return wrap(tensors[i]); }));
}

}  // namespace eagre::python
