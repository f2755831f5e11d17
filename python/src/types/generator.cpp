// eagre.Generator: random numbers with a seed of their own.
#include "types/generator.h"

#include <cstdint>
#include <memory>
#include <utility>

#include <eagre/api/random.h>
#include <eagre/api/tensor.h>
#include <eagre/base/error.h>
#include <eagre/core/device.h>
#include <eagre/core/generator.h>

#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/device.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

struct PyGenerator {
  PyObject_HEAD Generator* generator;
  bool owned;  // false: the library's default generator
};
extern PyTypeObject generator_type;

Generator& generator_of(PyObject* self) { return *reinterpret_cast<PyGenerator*>(self)->generator; }

PyObject* new_object(PyTypeObject* type, Generator* generator, bool owned) {
  auto* self = reinterpret_cast<PyGenerator*>(checked(type->tp_alloc(type, 0)));
  self->generator = generator;
  self->owned = owned;
  return reinterpret_cast<PyObject*>(self);
}

PyObject* new_owner(PyTypeObject* type, std::unique_ptr<Generator> generator) {
  PyObject* self = new_object(type, generator.get(), true);
  static_cast<void>(generator.release());  // NOLINT: the object owns it now
  return self;
}

PyObject* create(PyTypeObject* type, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {"device", nullptr};
  PyObject* place = nullptr;
  if (PyArg_ParseTupleAndKeywords(args, keywords, "|O:Generator", const_cast<char**>(names),
                                  &place) == 0) {
    return nullptr;
  }
  return guarded([&]() -> PyObject* {
    Device device;
    if (place != nullptr && place != Py_None && !to_device(place, device)) {
      raise(ErrorKind::kType,
            ArgumentProblem{"Generator", "device", "a string or a device", describe_type(place)});
    }
    EAGRE_CHECK(device.is_cpu(), kUnimplemented,
                "Generator(): a generator of the CPU serves every device, but got device ", device);
    return new_owner(type, std::make_unique<Generator>());
  });
}

void dealloc(PyObject* self) {
  if (reinterpret_cast<PyGenerator*>(self)->owned) delete &generator_of(self);
  Py_TYPE(self)->tp_free(self);
}

PyObject* set_seed(PyObject* self, PyObject* seed) {
  return guarded([&] {
    generator_of(self).manual_seed(to_seed(seed));
    return Py_NewRef(self);
  });
}
PyObject* get_seed(PyObject* self, PyObject*) {
  return PyLong_FromUnsignedLongLong(generator_of(self).initial_seed());
}
PyObject* new_seed(PyObject* self, PyObject*) {
  return PyLong_FromUnsignedLongLong(generator_of(self).seed());
}
PyObject* get_state(PyObject* self, PyObject*) {
  return guarded([&] { return wrap(get_rng_state(generator_of(self))); });
}
PyObject* set_state(PyObject* self, PyObject* state) {
  return guarded([&] {
    if (!is_tensor(state)) {
      raise(ErrorKind::kType,
            ArgumentProblem{"set_state", "new_state", "a uint8 tensor on the CPU",
                            describe_type(state), "use what get_state() returned"});
    }
    set_rng_state(Tensor(tensor_of(state)), generator_of(self));
    return Py_NewRef(self);
  });
}
PyObject* clone_state(PyObject* self, PyObject*) {
  return guarded([&] {
    auto copy = std::make_unique<Generator>();
    set_rng_state(get_rng_state(generator_of(self)), *copy);
    return new_owner(&generator_type, std::move(copy));
  });
}

// For pickle and copy: the class, its device, and the state that __setstate__() takes. As in
// PyTorch this is (seed, offset, bytes); the bytes say all, so the others are only shown.
PyObject* reduce(PyObject* self, PyObject*) {
  return guarded([&] {
    const Ref device(checked(new_device_object(Device())));
    const Ref bytes(checked(wrap(get_rng_state(generator_of(self)))));
    return Py_BuildValue("O(O)(KOO)", Py_TYPE(self), device.get(),
                         static_cast<unsigned long long>(generator_of(self).initial_seed()),
                         Py_None, bytes.get());
  });
}
PyObject* restore(PyObject* self, PyObject* state) {
  if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) != 3) {
    PyErr_SetString(PyExc_TypeError,
                    "Generator.__setstate__(): expected what __reduce__() gives as the state, a "
                    "tuple (seed, offset, state)");
    return nullptr;
  }
  const Ref done(set_state(self, PyTuple_GET_ITEM(state, 2)));
  return done ? Py_NewRef(Py_None) : nullptr;
}

PyObject* get_device(PyObject*, void*) {
  return guarded([] { return new_device_object(Device()); });
}

PyMethodDef methods[] = {
    {"manual_seed", set_seed, METH_O, "manual_seed(seed): starts the sequence of this seed"},
    {"initial_seed", get_seed, METH_NOARGS, "initial_seed(): the seed in use"},
    {"seed", new_seed, METH_NOARGS, "seed(): starts from a random seed and returns it"},
    {"get_state", get_state, METH_NOARGS, "get_state(): a uint8 tensor for set_state()"},
    {"clone_state", clone_state, METH_NOARGS, "clone_state(): another one at the same place"},
    {"set_state", set_state, METH_O, "set_state(new_state): goes on where the state was taken"},
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__setstate__", restore, METH_O, nullptr},
    {}};

PyGetSetDef properties[] = {{"device", get_device, nullptr, "where its numbers are made", nullptr},
                            {}};

PyTypeObject generator_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.Generator",
    .tp_basicsize = sizeof(PyGenerator),
    .tp_dealloc = dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "A source of random numbers.",
    .tp_methods = methods,
    .tp_getset = properties,
    .tp_new = create,
};

}  // namespace

uint64_t to_seed(PyObject* number) {
  const Ref whole(PyNumber_Index(number));
  if (whole.get() == nullptr) throw PythonError::take();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(whole.get(), &overflow);
  if (overflow == 0) return static_cast<uint64_t>(value);
  if (overflow > 0) {
    const uint64_t large = PyLong_AsUnsignedLongLong(whole.get());
    if (!PyErr_Occurred()) return large;
    PyErr_Clear();
  }
  raise(ErrorKind::kInvalidArgument,
        "manual_seed(): Overflow when unpacking long long: argument 'seed' must be an int from "
        "-2**63 to 2**64 - 1");
}

Generator* to_generator(PyObject* object) {
  return PyObject_TypeCheck(object, &generator_type) ? &generator_of(object) : nullptr;
}

PyObject* default_generator_object() {
  static PyObject* const shared = new_object(&generator_type, &default_generator(), false);
  return shared;
}

bool add_generator_type(PyObject* module) {
  if (PyType_Ready(&generator_type) != 0 ||
      PyModule_AddObjectRef(module, "Generator", reinterpret_cast<PyObject*>(&generator_type)) !=
          0) {
    return false;
  }
  return PyModule_AddObjectRef(module, "default_generator", default_generator_object()) == 0;
}

}  // namespace eagre::python
