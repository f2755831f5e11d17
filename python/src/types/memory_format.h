// eagre.memory_format: the Python objects of memory formats.
#pragma once

#include <eagre/core/memory_format.h>

#include "interpreter/object.h"

namespace eagre::python {

bool to_memory_format(PyObject* object, MemoryFormat& out);

bool add_memory_formats(PyObject* module);

}  // namespace eagre::python
