// Python functions of tensors as C++ ones, for transforms and derivatives that eagre/api computes.
#pragma once

#include <eagre/api/tensor_function.h>

#include "interpreter/callback.h"
#include "types/tuple.h"

namespace eagre::python {

using autograd::functional::TensorFunction;
using autograd::functional::Tensors;

inline Tensors list_of(const TensorVector& tensors) { return {tensors.begin(), tensors.end()}; }
inline TensorVector vector_of(const Tensors& tensors) { return {tensors.begin(), tensors.end()}; }

// With the GIL held: what the function returns for these tensors.
inline Ref call_with_tensors(PyObject* function, const Tensors& inputs) {
  const Ref arguments = tensor_tuple(vector_of(inputs));
  return Ref(checked(AsleepAtExit().returned(PyObject_Call(function, arguments.get(), nullptr))));
}

// The elements of a tuple that must hold nothing but tensors.
Tensors tensors_returned(PyObject* tuple);

// What Python hands over takes tensors and returns a tuple of them. It lives as long as the call.
TensorFunction function_of(PyObject* function);

}  // namespace eagre::python
