// Calls of Python functions that take tensors and return tuples of them.
#include "autograd/tensor_function.h"

#include <eagre/base/error.h>

#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "types/tensor.h"

namespace eagre::python {

Tensors tensors_returned(PyObject* tuple) {
  EAGRE_CHECK(PyTuple_Check(tuple), kType, "expected a tuple of Tensors, but got ",
              describe_type(tuple));
  Tensors tensors;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    PyObject* element = PyTuple_GET_ITEM(tuple, i);
    EAGRE_CHECK(is_tensor(element), kType, "expected a tuple of Tensors, but element ", i, " is ",
                describe_type(element));
    tensors.emplace_back(tensor_of(element));
  }
  return tensors;
}

TensorFunction function_of(PyObject* function) {
  return [function](const Tensors& inputs) {
    const GilHeld gil;
    return tensors_returned(call_with_tensors(function, inputs).get());
  };
}

}  // namespace eagre::python
