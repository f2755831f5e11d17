// What happens when a call reaches a class that does nothing of its own with it.
#include "call/torch_function.h"

#include "call/handed_back.h"
#include "call/override_state.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

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

// Functions of other libraries that run because our class was asked about them.
thread_local AskedCall::List asked_calls = nullptr;

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
    PyObject* const args = call.owned.get();
    if (AskedCall::contains(asked_calls, call.function, args, call.names)) {
      refuse_foreign_function(call.function);
    }
    const AskedCall asked(asked_calls, call.function, args, call.names);
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

}  // namespace

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

}  // namespace eagre::python
