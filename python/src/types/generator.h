// eagre.Generator: the Python objects of random number generators.
#pragma once

#include <eagre/core/generator.h>

#include "interpreter/object.h"

namespace eagre::python {

// Null if the object is no Generator.
Generator* to_generator(PyObject* object);
// The one that eagre.default_generator is; borrowed.
PyObject* default_generator_object();
// A seed from an int of 64 bits, with or without a sign; negative ones wrap around.
uint64_t to_seed(PyObject* number);

bool add_generator_type(PyObject* module);

}  // namespace eagre::python
