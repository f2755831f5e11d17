// What the arguments mean is decided in Python (python/eagre/_legacy_types.py), with FloatTensor
// and its like.
#include "tensor/legacy_constructor.h"

#include <eagre/base/error.h>
#include <eagre/core/tensor_base.h>

#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {

TensorBase tensor_from_constructor(PyObject* args, PyObject* keywords) {
  const Ref module(checked(PyImport_ImportModule("eagre._legacy_types")));
  const Ref function(checked(PyObject_GetAttrString(module.get(), "construct")));
  const Ref made(checked(PyObject_Call(function.get(), args, keywords)));
  EAGRE_CHECK(is_tensor(made.get()), kInternal, "_legacy_types.construct() made no tensor");
  return tensor_of(made.get());
}

}  // namespace eagre::python
