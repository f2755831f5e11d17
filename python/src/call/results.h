// Several results of an operator as Python objects.
#pragma once

#include <array>

#include <eagre/core/tensor_list.h>

#include "types/tensor.h"

namespace eagre::python {

// A tuple of tensors.
PyObject* wrap(TensorVector tensors);

template <size_t N>
PyObject* wrap(std::array<TensorBase, N> tensors) {
  return wrap(TensorVector(tensors.begin(), tensors.end()));
}

// The names of an operator's results, with spaces between them.
struct NamedResults {
  const char* op;
  const char* fields;
};
// Of all operators with several; ends with an empty one. Generated: gen/python/table.cpp.
extern const NamedResults kGeneratedResults[];

// A tuple whose elements also have names: max(x, 0).values. One type per operator, which
// eagre.return_types shows.
PyObject* wrap_named(const char* op, Span<const char* const> fields, Span<TensorBase> results);

}  // namespace eagre::python
