// eagre.layout and its instances. Tensors are strided; the others exist so that a wish for them
// gets an answer.
#include "types/layout.h"

#include <cstddef>
#include <iterator>

namespace eagre::python {
namespace {

struct PyLayout {
  PyObject_HEAD const char* name;
};

const char* name_of(PyObject* self) { return reinterpret_cast<PyLayout*>(self)->name; }

PyObject* represent(PyObject* self) { return PyUnicode_FromFormat("eagre.%s", name_of(self)); }
PyObject* pickle_as_name(PyObject* self, PyObject*) { return PyUnicode_FromString(name_of(self)); }
PyMethodDef methods[] = {{"__reduce__", pickle_as_name, METH_NOARGS, nullptr}, {}};

PyTypeObject layout_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.layout",
    .tp_basicsize = sizeof(PyLayout),
    .tp_repr = represent,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "How the elements of a tensor are kept: always eagre.strided.",
    .tp_methods = methods,
};

constexpr const char* kNames[] = {"strided",    "sparse_coo", "sparse_csr",
                                  "sparse_csc", "sparse_bsr", "sparse_bsc"};
PyLayout instances[std::size(kNames)];

}  // namespace

PyObject* strided_layout() { return reinterpret_cast<PyObject*>(&instances[0]); }

bool is_layout(PyObject* object) { return Py_IS_TYPE(object, &layout_type); }

bool add_layouts(PyObject* module) {
  if (PyType_Ready(&layout_type) != 0) return false;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    auto* object = reinterpret_cast<PyObject*>(&instances[i]);
    PyObject_Init(object, &layout_type);
    instances[i].name = kNames[i];
    if (PyModule_AddObjectRef(module, kNames[i], object) != 0) return false;
  }
  return PyModule_AddObjectRef(module, "layout", reinterpret_cast<PyObject*>(&layout_type)) == 0;
}

}  // namespace eagre::python
