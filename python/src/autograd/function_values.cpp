// Binding arguments to positions, and tensors in and out of tuples.
#include "autograd/function_values.h"

#include <cstddef>
#include <utility>

#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>

#include "autograd/function_class.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "lifetime/wrapper.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// Has `forward` defaults for arguments that were not given? setup_context must see them.
bool lacks_defaults(PyObject* forward, Py_ssize_t given) {
  if (PyMethod_Check(forward)) {
    forward = PyMethod_GET_FUNCTION(forward);
    ++given;
  }
  if (!PyFunction_Check(forward) || PyFunction_GET_DEFAULTS(forward) == nullptr) return false;
  const auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(forward));
  return given < code->co_argcount;
}

// What the context keeps may lead back to a result, which holds the context by way of its node.
PyObject* result_object(TensorBase tensor) {
  const bool has_history = tensor.get().grad_node != nullptr;
  PyObject* object = checked(wrap(std::move(tensor)));
  if (has_history) give_state(object);
  return object;
}

}  // namespace

TensorVector tensors_in(PyObject* tuple) {
  TensorVector tensors;
  if (tuple == nullptr) return tensors;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    PyObject* element = PyTuple_GET_ITEM(tuple, i);
    tensors.push_back(is_tensor(element) ? tensor_of(element) : TensorBase());
  }
  return tensors;
}

TensorVector tensors_of(PyObject* result) {
  if (PyTuple_Check(result)) return tensors_in(result);
  return {is_tensor(result) ? tensor_of(result) : TensorBase()};
}

PyObject* with_tensors(PyObject* result, TensorVector tensors) {
  if (!PyTuple_Check(result)) {
    return tensors[0].defined() ? result_object(std::move(tensors[0])) : Py_NewRef(result);
  }
  Ref tuple(checked(PyTuple_New(PyTuple_GET_SIZE(result))));
  for (size_t i = 0; i < tensors.size(); ++i) {
    PyObject* own = PyTuple_GET_ITEM(result, static_cast<Py_ssize_t>(i));
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                     tensors[i].defined() ? result_object(std::move(tensors[i])) : Py_NewRef(own));
  }
  return tuple.give();
}

GivenArguments::GivenArguments(PyObject* forward, bool takes_context, PyObject* const* args,
                               Py_ssize_t count, PyObject* names)
    : args_(args), count_(count) {
  if (names != nullptr || (!takes_context && lacks_defaults(forward, count))) [[unlikely]] {
    bind(forward, takes_context, args, names);
  }
}

Ref GivenArguments::tuple() const {
  Ref all(checked(PyTuple_New(count_)));
  for (Py_ssize_t i = 0; i < count_; ++i) PyTuple_SET_ITEM(all.get(), i, Py_NewRef(args_[i]));
  return all;
}

void GivenArguments::bind(PyObject* forward, bool takes_context, PyObject* const* args,
                          PyObject* names) {
  const Ref given = tuple();
  const Ref named(checked(PyDict_New()));
  for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i) {
    if (PyDict_SetItem(named.get(), PyTuple_GET_ITEM(names, i), args[count_ + i]) != 0) {
      throw PythonError::take();
    }
  }
  const Ref bound(checked(PyObject_CallFunction(function_support().bind_arguments, "OiOO", forward,
                                                takes_context ? 1 : 0, given.get(), named.get())));
  PyObject *positional = nullptr, *rest = nullptr;
  if (PyArg_ParseTuple(bound.get(), "O!O!", &PyTuple_Type, &positional, &PyDict_Type, &rest) == 0) {
    throw PythonError::take();
  }
  owner_ = Ref::share(positional);
  args_ = reinterpret_cast<PyTupleObject*>(positional)->ob_item;
  count_ = PyTuple_GET_SIZE(positional);
  if (PyDict_GET_SIZE(rest) > 0) by_name_ = Ref::share(rest);
}

}  // namespace eagre::python
