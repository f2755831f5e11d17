// Functions of the module about __torch_function__: modes, switches, and questions.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "call/method.h"
#include "call/override_state.h"
#include "call/overrides.h"
#include "call/tables.h"
#include "call/torch_function.h"
#include "interpreter/errors.h"

namespace eagre::python {
namespace {

// --- context managers ---

struct PyDisable {
  PyObject_HEAD uint8_t before;
};

template <Asked kWanted>
PyObject* enter_disable(PyObject* self, PyObject*) {
  reinterpret_cast<PyDisable*>(self)->before = static_cast<uint8_t>(asked_now());
  ask_only(std::max(asked_now(), kWanted));
  return Py_NewRef(self);
}
PyObject* exit_disable(PyObject* self, PyObject*) {
  ask_only(static_cast<Asked>(reinterpret_cast<PyDisable*>(self)->before));
  Py_RETURN_NONE;
}

template <Asked kWanted>
PyMethodDef disable_methods[] = {{"__enter__", enter_disable<kWanted>, METH_NOARGS, nullptr},
                                 {"__exit__", exit_disable, METH_VARARGS, nullptr},
                                 {}};

template <Asked kWanted>
PyTypeObject disable_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0)  //
                   .tp_name = kWanted == Asked::kModes ? "eagre._C.DisableTorchFunctionSubclass"
                                                       : "eagre._C.DisableTorchFunction",
    .tp_basicsize = sizeof(PyDisable),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = kWanted == Asked::kModes
                  ? "In its scope no __torch_function__ of a class is called."
                  : "In its scope no __torch_function__ is called, of modes neither.",
    .tp_methods = disable_methods<kWanted>,
    .tp_new = PyType_GenericNew,
};

// --- functions ---

PyObject* push_mode(PyObject*, PyObject* mode) {
  enter_mode(mode);
  Py_RETURN_NONE;
}
PyObject* pop_mode(PyObject*, PyObject*) {
  return guarded([] { return leave_mode().give(); });
}
PyObject* mode_count(PyObject*, PyObject*) { return PyLong_FromSize_t(modes_of_thread().size()); }
PyObject* mode_at(PyObject*, PyObject* index) {
  const size_t i = PyLong_AsSize_t(index);
  if (PyErr_Occurred() != nullptr) return nullptr;
  if (i >= modes_of_thread().size()) {
    PyErr_SetString(PyExc_IndexError, "there is no such mode");
    return nullptr;
  }
  return Py_NewRef(modes_of_thread()[i]);
}

PyObject* is_enabled(PyObject*, PyObject*) { return PyBool_FromLong(asked_now() == Asked::kAll); }
PyObject* is_all_disabled(PyObject*, PyObject*) {
  return PyBool_FromLong(asked_now() == Asked::kNobody);
}

PyObject* has_torch_function(PyObject*, PyObject* objects) {
  return guarded([&] {
    const Ref list(checked(PySequence_Fast(objects, "has_torch_function() takes a sequence")));
    return PyBool_FromLong(modes_take_over() || element_takes_over(list.get()));
  });
}
PyObject* has_torch_function_unary(PyObject*, PyObject* object) {
  return PyBool_FromLong(modes_take_over() || takes_over(object));
}
PyObject* has_torch_function_variadic(PyObject*, PyObject* const* objects, Py_ssize_t count) {
  return PyBool_FromLong(call_is_taken_over<false>(nullptr, objects, count, nullptr));
}

// Of a call with these arguments, by position and by name.
PyObject* is_call_overridden(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return PyBool_FromLong(call_is_taken_over<true>(nullptr, args, count, names));
}

PyObject* handle_torch_function(PyObject*, PyObject* given) {
  PyObject *function = nullptr, *relevant = nullptr, *args = nullptr, *names = nullptr;
  if (PyArg_ParseTuple(given, "OOOO:handle_torch_function", &function, &relevant, &args, &names) ==
      0) {
    return nullptr;
  }
  const Ref list(PySequence_Fast(relevant, "relevant_args must be a sequence"));
  return list ? override_call(function, list.get(), args, names) : nullptr;
}

}  // namespace

const PyMethodDef kOverrideFunctions[] = {
    {"_push_on_torch_function_stack", push_mode, METH_O, nullptr},
    {"_pop_torch_function_stack", pop_mode, METH_NOARGS, nullptr},
    {"_len_torch_function_stack", mode_count, METH_NOARGS, nullptr},
    {"_get_function_stack_at", mode_at, METH_O, nullptr},
    {"_is_torch_function_enabled", is_enabled, METH_NOARGS, nullptr},
    {"_is_torch_function_all_disabled", is_all_disabled, METH_NOARGS, nullptr},
    {"_has_torch_function", has_torch_function, METH_O, nullptr},
    {"_has_torch_function_unary", has_torch_function_unary, METH_O, nullptr},
    {"_has_torch_function_variadic",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(has_torch_function_variadic)),
     METH_FASTCALL, nullptr},
    method("_is_call_overridden", is_call_overridden, nullptr),
    {"_handle_torch_function", handle_torch_function, METH_VARARGS, nullptr},
    {}};

bool add_override_types(PyObject* module) {
  PyTypeObject& classes = disable_type<Asked::kModes>;
  PyTypeObject& all = disable_type<Asked::kNobody>;
  return disabled_torch_function() != nullptr && PyType_Ready(&classes) == 0 &&
         PyType_Ready(&all) == 0 &&
         PyModule_AddObjectRef(module, "_disabled_torch_function_impl",
                               disabled_torch_function()) == 0 &&
         PyModule_AddObjectRef(module, "DisableTorchFunctionSubclass",
                               reinterpret_cast<PyObject*>(&classes)) == 0 &&
         PyModule_AddObjectRef(module, "DisableTorchFunction", reinterpret_cast<PyObject*>(&all)) ==
             0;
}

}  // namespace eagre::python
