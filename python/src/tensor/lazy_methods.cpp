// Methods of Tensor that are written in Python. Their modules are imported when one is first used,
// so that they cost nothing at the start of a program.

#include <eagre/base/error.h>

#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "tensor/tables.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// Stands for an attribute of a module until it is asked for; then the attribute takes its place.
struct PyLazyMethod {
  PyObject_HEAD PyObject* name;  // of the method
  PyObject* module;
  PyObject* attribute;
};

void dealloc(PyObject* self) {
  auto* lazy = reinterpret_cast<PyLazyMethod*>(self);
  Py_XDECREF(lazy->name);
  Py_XDECREF(lazy->module);
  Py_XDECREF(lazy->attribute);
  PyObject_Free(self);
}

// A function that asks __torch_function__ before it runs; properties stay as they are.
Ref overridable(Ref value) {
  if (!PyFunction_Check(value.get())) return value;
  const Ref module(checked(PyImport_ImportModule("eagre._torch_function")));
  return Ref(checked(PyObject_CallMethod(module.get(), "overridable", "O", value.get())));
}

PyObject* load(PyObject* self, PyObject* object, PyObject* type) {
  return guarded([&]() -> PyObject* {
    // Replaced, it may lose its last reference.
    const Ref alive = Ref::share(self);
    const auto* lazy = reinterpret_cast<PyLazyMethod*>(self);
    const Ref module(checked(PyImport_Import(lazy->module)));
    const Ref value = overridable(Ref(checked(PyObject_GetAttr(module.get(), lazy->attribute))));
    if (PyDict_SetItem(tensor_type.tp_dict, lazy->name, value.get()) != 0) {
      throw PythonError::take();
    }
    PyType_Modified(&tensor_type);
    const descrgetfunc get = Py_TYPE(value.get())->tp_descr_get;
    return get == nullptr ? Py_NewRef(value.get()) : get(value.get(), object, type);
  });
}

PyTypeObject lazy_method_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre._C.LazyMethod",
    .tp_basicsize = sizeof(PyLazyMethod),
    .tp_dealloc = dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "A method whose module is imported when it is first used.",
    .tp_descr_get = load,
};

void add_one(PyObject* name, PyObject* module, PyObject* attribute) {
  const int known = PyDict_Contains(tensor_type.tp_dict, name);
  if (known < 0) throw PythonError::take();
  EAGRE_CHECK(known == 0, kInternal, "Tensor has an attribute '", PyUnicode_AsUTF8(name),
              "' already");
  auto* lazy = PyObject_New(PyLazyMethod, &lazy_method_type);
  if (lazy == nullptr) throw PythonError::take();
  lazy->name = Py_NewRef(name);
  lazy->module = Py_NewRef(module);
  lazy->attribute = Py_NewRef(attribute);
  const Ref object(reinterpret_cast<PyObject*>(lazy));
  if (PyDict_SetItem(tensor_type.tp_dict, name, object.get()) != 0) throw PythonError::take();
}

// {"trace": ("eagre._shapes", "trace")}
PyObject* add_lazy_methods(PyObject*, PyObject* table) {
  return guarded([&]() -> PyObject* {
    if (PyType_Ready(&lazy_method_type) != 0) throw PythonError::take();
    Py_ssize_t position = 0;
    PyObject *name = nullptr, *place = nullptr;
    while (PyDict_Next(table, &position, &name, &place) != 0) {
      PyObject *module = nullptr, *attribute = nullptr;
      if (!PyArg_ParseTuple(place, "UU", &module, &attribute)) throw PythonError::take();
      add_one(name, module, attribute);
    }
    PyType_Modified(&tensor_type);
    Py_RETURN_NONE;
  });
}

}  // namespace

const PyMethodDef kLazyMethodFunctions[] = {
    {"_add_lazy_methods", add_lazy_methods, METH_O, nullptr}, {}};

}  // namespace eagre::python
