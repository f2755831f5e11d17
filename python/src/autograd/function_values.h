// Arguments and results of a user's Function: Python objects, and the tensors among them.
#pragma once

#include <eagre/core/tensor_list.h>

#include "interpreter/errors.h"

namespace eagre::python {

// The elements of a tuple; what is no tensor is undefined. Null is an empty tuple.
TensorVector tensors_in(PyObject* tuple);
// Those of what forward, jvp or vmap returned: a tuple, or a single result.
TensorVector tensors_of(PyObject* result);
// The same with these tensors in place of its own, as a new reference.
PyObject* with_tensors(PyObject* result, TensorVector tensors);

// The arguments of a call, by position. Those that must be given by name can be no tensors.
class GivenArguments {
 public:
  GivenArguments(PyObject* forward, bool takes_context, PyObject* const* args, Py_ssize_t count,
                 PyObject* names);

  size_t size() const { return static_cast<size_t>(count_); }
  PyObject* operator[](size_t i) const { return args_[i]; }
  PyObject* by_name() const { return by_name_.get(); }  // a dict, or null
  Ref tuple() const;

 private:
  void bind(PyObject* forward, bool takes_context, PyObject* const* args, PyObject* names);

  PyObject* const* args_;
  Py_ssize_t count_;
  Ref owner_, by_name_;
};

}  // namespace eagre::python
