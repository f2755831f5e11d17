// Which parameter a keyword names.
#pragma once

#include <Python.h>

#include "call/signature.h"

namespace eagre::python {

// Its number; -1 if none has this name.
int place_of(PyObject* keyword, const Signature& signature);

// Before the end of a signature: its address may be that of another one later.
void forget_places(const Signature& signature);

}  // namespace eagre::python
