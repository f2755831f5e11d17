// eagre.dtype and its instances.
#include "types/dtype.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/dtype.h>

#include "interpreter/errors.h"

namespace eagre::python {
namespace {

struct PyDType {
  PyObject_HEAD DType dtype;
};

DType dtype_of(PyObject* self) { return reinterpret_cast<PyDType*>(self)->dtype; }

PyObject* represent(PyObject* self) {
  return PyUnicode_FromFormat("eagre.%s", std::string(to_string(dtype_of(self))).c_str());
}
PyObject* pickle_as_name(PyObject* self, PyObject*) {
  return PyUnicode_FromString(std::string(to_string(dtype_of(self))).c_str());
}
PyObject* is_floating(PyObject* self, void*) {
  return PyBool_FromLong(is_floating_point(dtype_of(self)));
}
PyObject* is_complex_type(PyObject* self, void*) {
  return PyBool_FromLong(is_complex(dtype_of(self)));
}
PyObject* is_signed_type(PyObject* self, void*) {
  return PyBool_FromLong(is_signed(dtype_of(self)));
}
PyObject* item_size(PyObject* self, void*) {
  return PyLong_FromSize_t(element_size(dtype_of(self)));
}

PyObject* to_complex(PyObject* self, PyObject*) {
  return guarded([&] {
    const DType dtype = dtype_of(self);
    const DType result = complex_dtype(dtype);
    EAGRE_CHECK(real_dtype(result) == real_dtype(dtype), kType,
                "to_complex(): there is no complex dtype of ", dtype);
    return Py_NewRef(dtype_object(result));
  });
}
PyObject* to_real(PyObject* self, PyObject*) {
  return Py_NewRef(dtype_object(real_dtype(dtype_of(self))));
}

PyMethodDef methods[] = {
    {"__reduce__", pickle_as_name, METH_NOARGS, nullptr},
    {"to_complex", to_complex, METH_NOARGS, "to_complex(): of numbers with such parts"},
    {"to_real", to_real, METH_NOARGS, "to_real(): of the parts of a complex number"},
    {}};
PyGetSetDef properties[] = {
    {"is_floating_point", is_floating, nullptr, "True for the floating-point types", nullptr},
    {"is_complex", is_complex_type, nullptr, "True for the complex types", nullptr},
    {"is_signed", is_signed_type, nullptr, "True for types with negative numbers", nullptr},
    {"itemsize", item_size, nullptr, "bytes of one element", nullptr},
    {}};

PyTypeObject dtype_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.dtype",
    .tp_basicsize = sizeof(PyDType),
    .tp_repr = represent,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "The type of the elements of a tensor.",
    .tp_methods = methods,
    .tp_getset = properties,
};

PyDType instances[kDTypeCount];

}  // namespace

PyObject* dtype_object(DType dtype) {
  return reinterpret_cast<PyObject*>(&instances[static_cast<size_t>(dtype)]);
}

bool to_dtype(PyObject* object, DType& out) {
  if (Py_IS_TYPE(object, &dtype_type)) {
    out = dtype_of(object);
    return true;
  }
  const std::pair<PyTypeObject*, DType> builtins[] = {{&PyBool_Type, kBool},
                                                      {&PyLong_Type, kInt64},
                                                      {&PyFloat_Type, kFloat64},
                                                      {&PyComplex_Type, kComplex128}};
  for (const auto& [type, dtype] : builtins) {
    if (object != reinterpret_cast<PyObject*>(type)) continue;
    out = dtype;
    return true;
  }
  return false;
}

bool is_dtype_name(std::string_view name) {
  for (size_t i = 0; i < kDTypeCount; ++i) {
    if (to_string(static_cast<DType>(i)) == name) return true;
  }
  return false;
}

bool add_dtypes(PyObject* module) {
  if (PyType_Ready(&dtype_type) != 0) return false;
  const auto add = [&](const std::string& name, DType dtype) {
    return PyModule_AddObjectRef(module, name.c_str(), dtype_object(dtype)) == 0;
  };
  for (size_t i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    PyObject_Init(reinterpret_cast<PyObject*>(&instances[i]), &dtype_type);
    instances[i].dtype = dtype;
    if (!add(std::string(to_string(dtype)), dtype)) return false;
  }
  const std::pair<const char*, DType> aliases[] = {
      {"short", kInt16},     {"int", kInt32},        {"long", kInt64},
      {"half", kFloat16},    {"float", kFloat32},    {"double", kFloat64},
      {"chalf", kComplex32}, {"cfloat", kComplex64}, {"cdouble", kComplex128}};
  for (const auto& [name, dtype] : aliases) {
    if (!add(name, dtype)) return false;
  }
  return PyModule_AddObjectRef(module, "dtype", reinterpret_cast<PyObject*>(&dtype_type)) == 0;
}

}  // namespace eagre::python
