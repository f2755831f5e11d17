// Functions of the module about the runtime.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// Defaults, random seeds, device plug-ins.
extern const PyMethodDef kSettingsFunctions[];
// Settings and statistics of the CPU runtime.
extern const PyMethodDef kRuntimeFunctions[];
// About streams.
extern const PyMethodDef kStreamFunctions[];

}  // namespace eagre::python
