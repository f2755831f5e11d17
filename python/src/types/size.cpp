// eagre.Size: a tuple of sizes. Slices and sums of it are Sizes again.
#include "types/size.h"

#include <cstddef>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>

#include "interpreter/errors.h"
#include "interpreter/object.h"

namespace eagre::python {
namespace {

extern PyTypeObject size_type;
PyNumberMethods number_slots = {};
PySequenceMethods sequence_slots = {};
PyMappingMethods mapping_slots = {};

PyObject* as_size(PyObject* tuple) {
  const Ref owner(tuple);
  if (tuple == nullptr || !PyTuple_CheckExact(tuple)) return Py_XNewRef(tuple);
  const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
  PyObject* size = size_type.tp_alloc(&size_type, count);
  if (size == nullptr) return nullptr;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyTuple_SET_ITEM(size, i, Py_NewRef(PyTuple_GET_ITEM(tuple, i)));
  }
  return size;
}

PyObject* subscript(PyObject* self, PyObject* key) {
  PyObject* part = PyTuple_Type.tp_as_mapping->mp_subscript(self, key);
  return PySlice_Check(key) ? as_size(part) : part;
}
PyObject* concatenate(PyObject* self, PyObject* other) {
  return as_size(PyTuple_Type.tp_as_sequence->sq_concat(self, other));
}

PyObject* repeat(PyObject* self, Py_ssize_t count) {
  return as_size(PyTuple_Type.tp_as_sequence->sq_repeat(self, count));
}
// Also with a plain tuple on the left.
PyObject* add(PyObject* left, PyObject* right) {
  if (!PyTuple_Check(left) || !PyTuple_Check(right)) Py_RETURN_NOTIMPLEMENTED;
  return concatenate(left, right);
}

// Size([2, 3]): of ints, or what counts as one.
PyObject* create(PyTypeObject* type, PyObject* args, PyObject* keywords) {
  return guarded([&] {
    Ref size(checked(PyTuple_Type.tp_new(type, args, keywords)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(size.get()); ++i) {
      PyObject* item = PyTuple_GET_ITEM(size.get(), i);
      if (PyLong_Check(item)) continue;
      PyObject* number = PyIndex_Check(item) ? PyNumber_Index(item) : nullptr;
      if (number == nullptr) {
        PyErr_Clear();
        raise(ErrorKind::kType, concat("eagre.Size() takes an iterable of 'int' (item ", i, " is '",
                                       Py_TYPE(item)->tp_name, "')"));
      }
      PyTuple_SET_ITEM(size.get(), i, number);  // which nobody else has seen
      Py_DECREF(item);
    }
    return size.give();
  });
}

PyObject* represent(PyObject* self) {
  const Ref list(PySequence_List(self));
  return list ? PyUnicode_FromFormat("eagre.Size(%R)", list.get()) : nullptr;
}

// A Size holds whatever sizes the user put in; only numbers that fit can be multiplied.
PyObject* numel(PyObject* self, PyObject*) {
  return guarded([&] {
    Ref product(checked(PyLong_FromLong(1)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) {
      product = Ref(checked(PyNumber_Multiply(product.get(), PyTuple_GET_ITEM(self, i))));
    }
    return product.give();
  });
}

// For every protocol of pickle: the oldest would make the tuple itself, and cannot.
PyObject* reduce(PyObject* self, PyObject*) {
  const Ref sizes(PySequence_Tuple(self));
  return sizes ? Py_BuildValue("O(O)", Py_TYPE(self), sizes.get()) : nullptr;
}

PyMethodDef methods[] = {{"numel", numel, METH_NOARGS, "the product of the sizes"},
                         {"__reduce__", reduce, METH_NOARGS, nullptr},
                         {}};

PyTypeObject size_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.Size",
    .tp_basicsize = sizeof(PyTupleObject) - sizeof(PyObject*),
    .tp_itemsize = sizeof(PyObject*),
    .tp_repr = represent,
    .tp_as_number = &number_slots,
    .tp_as_sequence = &sequence_slots,
    .tp_as_mapping = &mapping_slots,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "The shape of a tensor: a tuple of sizes.",
    .tp_methods = methods,
    .tp_base = &PyTuple_Type,
    .tp_new = create,
};

}  // namespace

PyObject* new_size(Dims dims) {
  PyObject* size = size_type.tp_alloc(&size_type, static_cast<Py_ssize_t>(dims.size()));
  if (size == nullptr) return nullptr;
  for (size_t i = 0; i < dims.size(); ++i) {
    PyObject* number = PyLong_FromLongLong(dims[i]);
    if (number == nullptr) {
      Py_DECREF(size);
      return nullptr;
    }
    PyTuple_SET_ITEM(size, static_cast<Py_ssize_t>(i), number);
  }
  return size;
}

bool add_size_type(PyObject* module) {
  number_slots.nb_add = add;
  sequence_slots.sq_concat = concatenate;
  sequence_slots.sq_repeat = repeat;
  mapping_slots.mp_subscript = subscript;
  return PyType_Ready(&size_type) == 0 &&
         PyModule_AddObjectRef(module, "Size", reinterpret_cast<PyObject*>(&size_type)) == 0;
}

}  // namespace eagre::python
