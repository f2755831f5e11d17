// eagre._C._ModuleBase, the base of nn.Module: the ways of calls and attributes that all modules
// share. What a module holds is in dicts of its __dict__, which programs read and write.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

bool add_module_base(PyObject* module);

// _set_module_hooks(*dicts): the dicts with hooks of all modules, which calls ask.
extern const PyMethodDef kModuleFunctions[];

}  // namespace eagre::python
