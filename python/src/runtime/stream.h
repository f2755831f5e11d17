// eagre.Stream and eagre.Event.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

bool is_stream(PyObject* object);

bool add_stream_types(PyObject* module);

}  // namespace eagre::python
