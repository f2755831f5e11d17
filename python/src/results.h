// Several results of an operator as Python objects.
#pragma once

#include <eagre/core/tensor_list.h>

#include "tensor_object.h"

namespace eagre::python {

// A tuple of tensors.
PyObject* wrap(TensorVector tensors);

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
