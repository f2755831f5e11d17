// Several results of an operator as Python objects.
#pragma once

#include <array>

#include <eagre/core/tensor_list.h>

#include "tensor_object.h"

namespace eagre::python {

// A tuple of tensors.
PyObject* wrap(TensorVector tensors);

template <size_t N>
PyObject* wrap(std::array<TensorBase, N> tensors) {
  return wrap(TensorVector(tensors.begin(), tensors.end()));
}

// A tuple whose elements also have names: max(x, 0).values. One type per operator.
PyObject* wrap_named(const char* op, Span<const char* const> fields, Span<TensorBase> results);

}  // namespace eagre::python
