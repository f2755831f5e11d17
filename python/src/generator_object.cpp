// eagre.Generator: random numbers with a seed of their own.
#include "errors.h"
#include "value_objects.h"

namespace eagre::python {
namespace {

struct PyGenerator {
  PyObject_HEAD Generator* generator;
};
extern PyTypeObject generator_type;

Generator& generator_of(PyObject* self) { return *reinterpret_cast<PyGenerator*>(self)->generator; }

PyObject* create(PyTypeObject*, PyObject* args, PyObject* keywords) {
  if (PyTuple_GET_SIZE(args) != 0 || (keywords != nullptr && PyDict_GET_SIZE(keywords) != 0)) {
    PyErr_SetString(PyExc_TypeError, "Generator() takes no arguments");
    return nullptr;
  }
  return guarded([]() -> PyObject* {
    auto generator = std::make_unique<Generator>();
    auto* self = PyObject_New(PyGenerator, &generator_type);
    if (self == nullptr) throw PythonError::take();
    self->generator = generator.release();
    return reinterpret_cast<PyObject*>(self);
  });
}

void dealloc(PyObject* self) {
  delete reinterpret_cast<PyGenerator*>(self)->generator;
  PyObject_Free(self);
}

PyObject* set_seed(PyObject* self, PyObject* seed) {
  const uint64_t value = PyLong_AsUnsignedLongLongMask(seed);  // negative seeds wrap around
  if (value == UINT64_MAX && PyErr_Occurred()) return nullptr;
  generator_of(self).manual_seed(value);
  return Py_NewRef(self);
}
PyObject* get_seed(PyObject* self, PyObject*) {
  return PyLong_FromUnsignedLongLong(generator_of(self).initial_seed());
}

PyMethodDef methods[] = {
    {"manual_seed", set_seed, METH_O, "manual_seed(seed): starts the sequence of this seed"},
    {"initial_seed", get_seed, METH_NOARGS, "initial_seed(): the seed in use"},
    {}};

PyTypeObject generator_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.Generator",
    .tp_basicsize = sizeof(PyGenerator),
    .tp_dealloc = dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A source of random numbers.",
    .tp_methods = methods,
    .tp_new = create,
};

}  // namespace

Generator* to_generator(PyObject* object) {
  return Py_IS_TYPE(object, &generator_type) ? &generator_of(object) : nullptr;
}

bool add_generator_type(PyObject* module) {
  return PyType_Ready(&generator_type) == 0 &&
         PyModule_AddObjectRef(module, "Generator", reinterpret_cast<PyObject*>(&generator_type)) ==
             0;
}

}  // namespace eagre::python
