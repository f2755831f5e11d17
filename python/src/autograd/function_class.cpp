// Looking up methods and flags of subclasses of autograd.Function. The names are made once.
#include "autograd/function_class.h"

#include <array>
#include <cstddef>
#include <string>

#include <eagre/base/error.h>

#include "interpreter/errors.h"
#include "interpreter/object.h"

namespace eagre::python {
namespace {

constexpr std::array<const char*, 6> kMethodNames = {"forward", "setup_context", "backward",
                                                     "vjp",     "jvp",           "vmap"};
constexpr std::array<const char*, 3> kFlagNames = {
    "boxed_grads_call", "clear_saved_tensors_on_access", "generate_vmap_rule"};

struct Names {
  std::array<PyObject*, kMethodNames.size()> methods;
  std::array<PyObject*, kFlagNames.size()> flags;
};

const Names& names() {
  static const Names instance = [] {
    Names made{};
    for (size_t i = 0; i < kMethodNames.size(); ++i) {
      made.methods[i] = checked(PyUnicode_InternFromString(kMethodNames[i]));
    }
    for (size_t i = 0; i < kFlagNames.size(); ++i) {
      made.flags[i] = checked(PyUnicode_InternFromString(kFlagNames[i]));
    }
    return made;
  }();
  return instance;
}

// The methods of Function itself. Set once, when the package is imported.
std::array<PyObject*, kMethodNames.size()> defaults = {};
FunctionSupport support;

PyObject* set_support(PyObject*, PyObject* args) {
  return guarded([&]() -> PyObject* {
    PyObject* function = nullptr;
    if (PyArg_ParseTuple(args, "OOO", &function, &support.bind_arguments, &support.vmap_info) ==
        0) {
      throw PythonError::take();
    }
    for (size_t i = 0; i < defaults.size(); ++i) {
      defaults[i] = checked(PyObject_GetAttr(function, names().methods[i]));
    }
    Py_INCREF(support.bind_arguments);
    Py_INCREF(support.vmap_info);
    Py_RETURN_NONE;
  });
}

}  // namespace

Ref function_method(PyObject* function, FunctionMethod method) {
  return Ref(checked(PyObject_GetAttr(function, names().methods[static_cast<size_t>(method)])));
}

bool is_own_method(PyObject* method_object, FunctionMethod method) {
  return method_object != defaults[static_cast<size_t>(method)];
}

bool has_own_method(PyObject* function, FunctionMethod method) {
  return is_own_method(function_method(function, method).get(), method);
}

bool function_flag(PyObject* function, FunctionFlag flag) {
  const Ref value(checked(PyObject_GetAttr(function, names().flags[static_cast<size_t>(flag)])));
  if (PyBool_Check(value.get())) return value.get() == Py_True;
  raise(ErrorKind::kType,
        concat(function_name(function), ".", kFlagNames[static_cast<size_t>(flag)],
               " must be a bool, got ", Py_TYPE(value.get())->tp_name));
}

std::string function_name(PyObject* function) {
  return reinterpret_cast<PyTypeObject*>(function)->tp_name;
}

const FunctionSupport& function_support() { return support; }

const PyMethodDef kFunctionClassFunctions[] = {
    {"_set_function_support", set_support, METH_VARARGS, nullptr}, {}};

}  // namespace eagre::python
