// eagre.dtype: the Python objects of dtypes.
#pragma once

#include <string_view>

#include <eagre/core/dtype.h>

#include "interpreter/object.h"

namespace eagre::python {

// One object per dtype for the life of the process; borrowed.
PyObject* dtype_object(DType dtype);
// True if the object is a dtype, or one of the classes bool, int, float, complex that stand for
// one.
bool to_dtype(PyObject* object, DType& out);

bool is_dtype_name(std::string_view name);

bool add_dtypes(PyObject* module);

}  // namespace eagre::python
