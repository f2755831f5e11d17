// eagre.memory_format and its instances.
#include "types/memory_format.h"

#include <cstddef>
#include <iterator>

#include <eagre/core/memory_format.h>

namespace eagre::python {
namespace {

struct PyMemoryFormat {
  PyObject_HEAD MemoryFormat format;
};

MemoryFormat format_of(PyObject* self) { return reinterpret_cast<PyMemoryFormat*>(self)->format; }

PyObject* represent(PyObject* self) {
  return PyUnicode_FromFormat("eagre.%s", std::string(to_string(format_of(self))).c_str());
}
PyObject* pickle_as_name(PyObject* self, PyObject*) {
  return PyUnicode_FromString(std::string(to_string(format_of(self))).c_str());
}
PyMethodDef methods[] = {{"__reduce__", pickle_as_name, METH_NOARGS, nullptr}, {}};

PyTypeObject memory_format_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.memory_format",
    .tp_basicsize = sizeof(PyMemoryFormat),
    .tp_repr = represent,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "The order in which the dimensions of a tensor lie in memory.",
    .tp_methods = methods,
};

constexpr MemoryFormat kFormats[] = {MemoryFormat::kContiguous, MemoryFormat::kPreserve,
                                     MemoryFormat::kChannelsLast};
PyMemoryFormat instances[std::size(kFormats)];

}  // namespace

bool to_memory_format(PyObject* object, MemoryFormat& out) {
  if (!Py_IS_TYPE(object, &memory_format_type)) return false;
  out = format_of(object);
  return true;
}

bool add_memory_formats(PyObject* module) {
  if (PyType_Ready(&memory_format_type) != 0) return false;
  for (MemoryFormat format : kFormats) {
    PyMemoryFormat& instance = instances[static_cast<size_t>(format)];
    auto* object = reinterpret_cast<PyObject*>(&instance);
    PyObject_Init(object, &memory_format_type);
    instance.format = format;
    const std::string name(to_string(format));
    if (PyModule_AddObjectRef(module, name.c_str(), object) != 0) return false;
  }
  auto* channels_last =
      reinterpret_cast<PyObject*>(&instances[static_cast<size_t>(MemoryFormat::kChannelsLast)]);
  return PyModule_AddObjectRef(module, "channels_last_3d", channels_last) == 0 &&
         PyModule_AddObjectRef(module, "memory_format",
                               reinterpret_cast<PyObject*>(&memory_format_type)) == 0;
}

}  // namespace eagre::python
