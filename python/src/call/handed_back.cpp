// The list of calls, and what is said of one that came back.
#include "call/handed_back.h"

#include <eagre/base/error.h>

#include "interpreter/errors.h"
#include "interpreter/object.h"

namespace eagre::python {
namespace {

bool are_same(PyObject* a, PyObject* b) {
  // Accessors of properties are made anew each time.
  const int equal = PyObject_RichCompareBool(a, b, Py_EQ);
  if (equal < 0) PyErr_Clear();
  return equal > 0;
}

bool have_same_items(PyObject* a, PyObject* b) {
  const Py_ssize_t size = PyTuple_GET_SIZE(a);
  if (size != PyTuple_GET_SIZE(b)) return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (PyTuple_GET_ITEM(a, i) != PyTuple_GET_ITEM(b, i)) return false;
  }
  return true;
}

bool have_same_values(PyObject* a, PyObject* b) {
  const Py_ssize_t size = a == nullptr ? 0 : PyDict_GET_SIZE(a);
  if (size != (b == nullptr ? 0 : PyDict_GET_SIZE(b))) return false;
  if (size == 0) return true;
  PyObject *name = nullptr, *value = nullptr;
  for (Py_ssize_t place = 0; PyDict_Next(a, &place, &name, &value) != 0;) {
    if (PyDict_GetItem(b, name) != value) return false;
  }
  return true;
}

template <class... Arguments>
[[noreturn]] void raise_worded(const char* wording, Arguments*... arguments) {
  const Ref module(checked(PyImport_ImportModule("eagre._foreign")));
  const Ref function(checked(PyObject_GetAttrString(module.get(), wording)));
  const Ref text(checked(PyObject_CallFunctionObjArgs(function.get(), arguments..., nullptr)));
  const char* message = PyUnicode_AsUTF8(text.get());
  if (message == nullptr) throw PythonError::take();
  throw Error(ErrorKind::kType, message);
}

}  // namespace

// Out of sight of its callers: newer compilers warn of lists that hold an object of the stack.
AskedCall::AskedCall(List& list, PyObject* function, PyObject* args, PyObject* names)
    : function_(function), args_(args), names_(names), list_(list), outer_(list) {
  list_ = this;
}

bool AskedCall::is(PyObject* function, PyObject* args, PyObject* names) const {
  return have_same_items(args_, args) && have_same_values(names_, names) &&
         are_same(function_, function);
}

bool AskedCall::contains(List list, PyObject* function, PyObject* args, PyObject* names) {
  for (; list != nullptr; list = list->outer_) {
    if (list->is(function, args, names)) return true;
  }
  return false;
}

void refuse_foreign_tensor(PyObject* function, PyObject* foreign) {
  raise_worded("foreign_tensor", function, foreign);
}

void refuse_foreign_function(PyObject* function) { raise_worded("foreign_function", function); }

}  // namespace eagre::python
