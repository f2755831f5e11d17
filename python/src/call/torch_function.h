// __torch_function__ as Tensor defines it, and as classes that take over no calls do.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// The function that classes name to say that they do not take over calls; borrowed.
PyObject* disabled_torch_function();

// Tensor.__torch_function__
extern const PyMethodDef kOverrideMethods[];

}  // namespace eagre::python
