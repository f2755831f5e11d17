// Modes, switches, and the __torch_function__ that Tensor has.
#include "override_state.h"

#include <vector>

#include "errors.h"
#include "method.h"
#include "overrides.h"

namespace eagre::python {
namespace {

enum class Asked : uint8_t { kAll, kModes, kNobody };

// Owned references; what a thread leaves behind when it ends is lost.
thread_local std::vector<PyObject*> modes;
thread_local Asked asked = Asked::kAll;

void enter_mode(PyObject* mode) {
  modes.push_back(Py_NewRef(mode));
  ++entered_modes;
}
Ref leave_mode() {
  EAGRE_CHECK(!modes.empty(), kInvalidArgument, "there is no mode to leave");
  Ref mode(modes.back());
  modes.pop_back();
  --entered_modes;
  return mode;
}

// In its scope not everybody is asked.
class AskedScope {
 public:
  explicit AskedScope(Asked wanted) : before_(asked) { asked = std::max(asked, wanted); }
  ~AskedScope() { asked = before_; }
  AskedScope(const AskedScope&) = delete;
  AskedScope& operator=(const AskedScope&) = delete;

 private:
  Asked before_;
};

// --- what Tensor does ---

struct TorchFunctionArguments {
  PyObject *function = nullptr, *types = nullptr, *args = nullptr, *names = nullptr;
  Ref owned;

  // False with a Python error set.
  bool parse(PyObject* given, PyObject* named) {
    static const char* const parameters[] = {"func", "types", "args", "kwargs", nullptr};
    if (PyArg_ParseTupleAndKeywords(given, named, "OO|OO:__torch_function__",
                                    const_cast<char**>(parameters), &function, &types, &args,
                                    &names) == 0) {
      return false;
    }
    if (names == Py_None) names = nullptr;
    owned = Ref(args == nullptr ? PyTuple_New(0) : PySequence_Tuple(args));
    return static_cast<bool>(owned);
  }
  PyObject* call() const { return PyObject_Call(function, owned.get(), names); }
};

// The tensors in a result as instances of `type`, in tuples and lists too.
PyObject* converted(PyObject* result, PyTypeObject* type) {
  if (is_tensor(result)) {
    if (PyType_IsSubtype(Py_TYPE(result), type) != 0) return Py_NewRef(result);
    return checked(PyObject_CallMethod(result, "as_subclass", "O", type));
  }
  if (!PyTuple_Check(result) && !PyList_Check(result)) return Py_NewRef(result);
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(result);
  const Ref elements(checked(PyTuple_New(count)));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyTuple_SET_ITEM(elements.get(), i, converted(PySequence_Fast_GET_ITEM(result, i), type));
  }
  if (PyTuple_CheckExact(result)) return Py_NewRef(elements.get());
  PyObject* kind = reinterpret_cast<PyObject*>(Py_TYPE(result));
  // Named tuples take their elements one by one.
  if (PyObject_HasAttrString(kind, "_fields") != 0) {
    return checked(PyObject_Call(kind, elements.get(), nullptr));
  }
  return checked(PyObject_CallOneArg(kind, elements.get()));
}

// Results that stay as they are: those that belong to the tensor itself.
bool keeps_class(PyObject* function) {
  static const Ref& kept = *new Ref([] {
    Ref set(checked(PySet_New(nullptr)));
    for (const char* name : {"_base", "grad", "_grad"}) {
      const Ref property(PyObject_GetAttrString(reinterpret_cast<PyObject*>(&tensor_type), name));
      const Ref getter(property ? PyObject_GetAttrString(property.get(), "__get__") : nullptr);
      PyErr_Clear();
      if (getter) PySet_Add(set.get(), getter.get());
    }
    return set;
  }());
  const int found = PySet_Contains(kept.get(), function);
  if (found < 0) PyErr_Clear();  // it cannot be hashed
  return found > 0;
}

PyObject* torch_function(PyObject* type, PyObject* given, PyObject* named) {
  return guarded([&]() -> PyObject* {
    TorchFunctionArguments call;
    if (!call.parse(given, named)) throw PythonError::take();
    const Ref types(checked(PySequence_Tuple(call.types)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(types.get()); ++i) {
      const int derives = PyObject_IsSubclass(type, PyTuple_GET_ITEM(types.get(), i));
      if (derives < 0) throw PythonError::take();
      if (derives == 0) Py_RETURN_NOTIMPLEMENTED;
    }
    const AskedScope scope(Asked::kModes);
    const Ref result(checked(call.call()));
    if (keeps_class(call.function)) return Py_NewRef(result.get());
    return converted(result.get(), reinterpret_cast<PyTypeObject*>(type));
  });
}

PyObject* torch_function_disabled(PyObject*, PyObject* given, PyObject* named) {
  return guarded([&] {
    TorchFunctionArguments call;
    if (!call.parse(given, named)) throw PythonError::take();
    const AskedScope scope(Asked::kModes);
    return call.call();
  });
}

PyMethodDef disabled_definition = {
    "_disabled_torch_function_impl",
    reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(torch_function_disabled)),
    METH_VARARGS | METH_KEYWORDS, "the __torch_function__ of classes that take over no calls"};

// --- context managers ---

struct PyDisable {
  PyObject_HEAD uint8_t before;
};

template <Asked kWanted>
PyObject* enter_disable(PyObject* self, PyObject*) {
  reinterpret_cast<PyDisable*>(self)->before = static_cast<uint8_t>(asked);
  asked = std::max(asked, kWanted);
  return Py_NewRef(self);
}
PyObject* exit_disable(PyObject* self, PyObject*) {
  asked = static_cast<Asked>(reinterpret_cast<PyDisable*>(self)->before);
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
PyObject* mode_count(PyObject*, PyObject*) { return PyLong_FromSize_t(modes.size()); }
PyObject* mode_at(PyObject*, PyObject* index) {
  const size_t i = PyLong_AsSize_t(index);
  if (PyErr_Occurred() != nullptr) return nullptr;
  if (i >= modes.size()) {
    PyErr_SetString(PyExc_IndexError, "there is no such mode");
    return nullptr;
  }
  return Py_NewRef(modes[i]);
}

PyObject* is_enabled(PyObject*, PyObject*) { return PyBool_FromLong(asked == Asked::kAll); }
PyObject* is_all_disabled(PyObject*, PyObject*) { return PyBool_FromLong(asked == Asked::kNobody); }

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

bool subclasses_are_disabled() { return asked != Asked::kAll; }
bool mode_takes_over() { return asked != Asked::kNobody && !modes.empty(); }

ModeLeft::ModeLeft() : mode_(leave_mode()) {}
ModeLeft::~ModeLeft() { enter_mode(mode_.get()); }

PyObject* disabled_torch_function() {
  static PyObject* const function = PyCFunction_New(&disabled_definition, nullptr);
  return function;
}

const PyMethodDef kOverrideMethods[] = {
    {"__torch_function__",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(torch_function)),
     METH_CLASS | METH_VARARGS | METH_KEYWORDS,
     "__torch_function__(func, types, args=(), kwargs=None): runs the function; tensors in its "
     "result become instances of the class"},
    {}};

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
