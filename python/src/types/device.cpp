// eagre.device.
#include "types/device.h"

#include <string>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/core/current_device.h>
#include <eagre/core/device.h>

#include "interpreter/errors.h"
#include "types/dtype.h"

namespace eagre::python {
namespace {

// As in PyTorch a device that was named without an index differs from the first of its kind, though
// tensors are made at the same place. Tensors on the CPU and on `meta` name none.
struct PyDevice {
  PyObject_HEAD Device device;
  bool has_index;
};
extern PyTypeObject device_type;

Device device_of(PyObject* self) { return reinterpret_cast<PyDevice*>(self)->device; }
bool has_index(PyObject* self) { return reinterpret_cast<PyDevice*>(self)->has_index; }

PyObject* new_object(Device device, bool has_index) {
  auto* object = PyObject_New(PyDevice, &device_type);
  if (object == nullptr) return nullptr;
  object->device = device;
  object->has_index = has_index;
  return reinterpret_cast<PyObject*>(object);
}

bool names_index(PyObject* type) {
  if (Py_IS_TYPE(type, &device_type)) return has_index(type);
  return PyUnicode_FindChar(type, ':', 0, PyUnicode_GET_LENGTH(type), 1) >= 0;
}

// device("cpu"), device("sim:1"), device("sim", 1), device(another)
PyObject* create(PyTypeObject*, PyObject* args, PyObject* keywords) {
  static const char* names[] = {"type", "index", nullptr};
  PyObject* type = nullptr;
  PyObject* index = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:device", const_cast<char**>(names), &type,
                                   &index)) {
    return nullptr;
  }
  return guarded([&] {
    Device device;
    if (!to_device(type, device)) {
      raise(ErrorKind::kType,
            ArgumentProblem{"device", "type", "a string or a device", Py_TYPE(type)->tp_name});
    }
    if (index != Py_None) {
      const long number = PyLong_AsLong(index);
      if (number == -1 && PyErr_Occurred()) throw PythonError::take();
      device = Device(concat(to_string(device.kind), ":", number));
    }
    return new_object(device, index != Py_None || names_index(type));
  });
}

PyObject* as_string(PyObject* self) {
  return guarded([&] {
    const std::string kind = to_string(device_of(self).kind);
    if (!has_index(self)) return PyUnicode_FromString(kind.c_str());
    return PyUnicode_FromFormat("%s:%d", kind.c_str(), int{device_of(self).number});
  });
}
PyObject* represent(PyObject* self) {
  const Device device = device_of(self);
  const std::string kind = to_string(device.kind);
  if (!has_index(self)) return PyUnicode_FromFormat("device(type='%s')", kind.c_str());
  return PyUnicode_FromFormat("device(type='%s', index=%d)", kind.c_str(), int{device.number});
}
PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if (!Py_IS_TYPE(other, &device_type) || (operation != Py_EQ && operation != Py_NE)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  const bool same = device_of(self) == device_of(other) && has_index(self) == has_index(other);
  return PyBool_FromLong(same == (operation == Py_EQ));
}
Py_hash_t hash(PyObject* self) {
  const Device device = device_of(self);
  return static_cast<Py_hash_t>(device.kind) * 1009 + (has_index(self) ? device.number + 1 : 0);
}
PyObject* pickle(PyObject* self, PyObject*) {
  return Py_BuildValue("O(N)", &device_type, as_string(self));
}

PyObject* kind_name(PyObject* self, void*) {
  return PyUnicode_FromString(to_string(device_of(self).kind).c_str());
}
PyObject* index_or_none(PyObject* self, void*) {
  if (!has_index(self)) Py_RETURN_NONE;
  return PyLong_FromLong(device_of(self).number);
}

// with device(…): new tensors of this thread are made there.
std::vector<Device>& outer_devices() {
  static thread_local std::vector<Device> outer;
  return outer;
}
PyObject* enter(PyObject* self, PyObject*) {
  return guarded([&] {
    outer_devices().push_back(default_device());
    try {
      set_default_device(device_of(self));
    } catch (...) {
      outer_devices().pop_back();
      throw;
    }
    return Py_NewRef(self);
  });
}
PyObject* leave(PyObject*, PyObject* const*, Py_ssize_t) {
  return guarded([&]() -> PyObject* {
    if (outer_devices().empty()) {
      throw Error(ErrorKind::kInvalidArgument, "this device was left without being entered");
    }
    set_default_device(outer_devices().back());
    outer_devices().pop_back();
    Py_RETURN_NONE;
  });
}

PyMethodDef methods[] = {
    {"__reduce__", pickle, METH_NOARGS, nullptr},
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(leave)), METH_FASTCALL,
     nullptr},
    {}};
PyGetSetDef properties[] = {
    {"type", kind_name, nullptr, "the kind of device, like 'cpu'", nullptr},
    {"index", index_or_none, nullptr, "which of several devices of this kind", nullptr},
    {}};

PyTypeObject device_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.device",
    .tp_basicsize = sizeof(PyDevice),
    .tp_repr = represent,
    .tp_hash = hash,
    .tp_str = as_string,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Where a tensor lives: device('cpu'), or the name of a device plug-in.",
    .tp_richcompare = compare,
    .tp_methods = methods,
    .tp_getset = properties,
    .tp_new = create,
};

}  // namespace

PyObject* new_device_object(Device device) {
  return new_object(device, !device.is_cpu() && !device.is_meta());
}

bool to_device(PyObject* object, Device& out) {
  if (Py_IS_TYPE(object, &device_type)) {
    out = device_of(object);
    return true;
  }
  if (!PyUnicode_Check(object)) return false;
  const char* text = PyUnicode_AsUTF8(object);
  if (text == nullptr) throw PythonError::take();
  try {
    out = Device(text);
  } catch (const Error&) {
    if (!is_dtype_name(text)) throw;
    throw Error(ErrorKind::kInvalidArgument,
                concat("'", text, "' is not a device, but the name of a dtype. Hint: eagre.", text,
                       ", without quotes"));
  }
  return true;
}

bool add_device_type(PyObject* module) {
  return PyType_Ready(&device_type) == 0 &&
         PyModule_AddObjectRef(module, "device", reinterpret_cast<PyObject*>(&device_type)) == 0;
}

}  // namespace eagre::python
