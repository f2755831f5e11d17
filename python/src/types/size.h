// eagre.Size: the shape of a tensor as a Python object.
#pragma once

#include <eagre/core/shape.h>

#include "interpreter/object.h"

namespace eagre::python {

// A tuple that prints as eagre.Size([2, 3]).
PyObject* new_size(Dims dims);

bool add_size_type(PyObject* module);

}  // namespace eagre::python
