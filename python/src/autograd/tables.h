// Functions of the module about gradients.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// backward(), grad(), and the modes.
extern const PyMethodDef kAutogradFunctions[];
extern const PyMethodDef kSavedHookFunctions[];
extern const PyMethodDef kWriteWatchFunctions[];
extern const PyMethodDef kCheckpointFunctions[];
// What the backward engine can be asked and told.
extern const PyMethodDef kEngineFunctions[];
// vmap, and levels of forward mode.
extern const PyMethodDef kTransformFunctions[];
// Functions from functions: eagre.func.
extern const PyMethodDef kFuncFunctions[];
// Derivatives of functions as functions: eagre.autograd.functional.
extern const PyMethodDef kFunctionalFunctions[];

}  // namespace eagre::python
