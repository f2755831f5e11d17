// Functions of the module that are not operators.
#pragma once

#include "object.h"

namespace eagre::python {

extern const PyMethodDef kFunctions[];
// About gradients.
extern const PyMethodDef kAutogradFunctions[];
extern const PyMethodDef kSavedHookFunctions[];
extern const PyMethodDef kWriteWatchFunctions[];
// About dtypes.
extern const PyMethodDef kDTypeFunctions[];
// Settings and statistics of the CPU runtime.
extern const PyMethodDef kRuntimeFunctions[];
// What the backward engine can be asked and told.
extern const PyMethodDef kEngineFunctions[];
// Levels of forward mode and vmap.
extern const PyMethodDef kTransformFunctions[];
// Derivatives of functions as functions.
extern const PyMethodDef kFunctionalFunctions[];
// Nested values.
extern const PyMethodDef kTreeFunctions[];
// Methods written in Python.
extern const PyMethodDef kLazyMethodFunctions[];
// Memory shared with other libraries.
extern const PyMethodDef kDLPackFunctions[];
extern const PyMethodDef kStorageFunctions[];
// Results with names.
extern const PyMethodDef kResultFunctions[];
// About streams.
extern const PyMethodDef kStreamFunctions[];

}  // namespace eagre::python
