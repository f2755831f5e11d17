// The Python objects that a tensor holds by way of C++: hooks, what users keep with its node.
#pragma once

#include <eagre/core/tensor_impl.h>

#include "object.h"

namespace eagre::python {

// For tp_traverse and tp_clear of an object that holds `tensor` alone: nobody else has a handle.
int traverse_held_by(TensorImpl& tensor, visitproc visit, void* arg);
void clear_held_by(TensorImpl& tensor);

}  // namespace eagre::python
