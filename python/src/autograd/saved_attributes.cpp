// Attributes of nodes for what they saved, and SavedTensor, the place where a node keeps a tensor.
#include "autograd/saved_attributes.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/autograd/tape/saved_tensors.h>
#include <eagre/autograd/tape/saved_visitor.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/complex.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_list.h>

#include "autograd/saved_hooks.h"
#include "interpreter/errors.h"
#include "interpreter/held.h"
#include "interpreter/object.h"
#include "lifetime/saved_tensor_visitor.h"
#include "types/device.h"
#include "types/dtype.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

using autograd::Node;
using autograd::SavedTensor;
using autograd::SavedTensors;

constexpr std::string_view kSaved = "_saved_", kRaw = "_raw_saved_";

// --- SavedTensor ---

struct PySavedTensor {
  PyObject_HEAD IntrusivePtr<Node> node;
  SavedTensor* saved;  // a member of the node
  const char* name;
};
extern PyTypeObject saved_tensor_type;

PySavedTensor& place_of(PyObject* self) { return *reinterpret_cast<PySavedTensor*>(self); }

PyObject* new_place(Node& node, SavedTensor& saved, const char* name) {
  auto* object = PyObject_New(PySavedTensor, &saved_tensor_type);
  if (object == nullptr) throw PythonError::take();
  new (&object->node) IntrusivePtr<Node>(IntrusivePtr<Node>::share(&node));
  object->saved = &saved;
  object->name = name;
  return reinterpret_cast<PyObject*>(object);
}

PyObject* forbid_new(PyTypeObject*, PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    raise(ErrorKind::kAutograd,
          "Trying to create a SavedTensor object from Python is forbidden. Hint: the attributes "
          "_raw_saved_* of a grad_fn give those that are there");
  });
}

void dealloc(PyObject* self) {
  place_of(self).node.~IntrusivePtr<Node>();
  PyObject_Free(self);
  drop_released();
}

PyObject* register_hooks(PyObject* self, PyObject* functions) {
  return guarded([&]() -> PyObject* {
    PyObject *pack = nullptr, *unpack = nullptr;
    if (PyArg_ParseTuple(functions, "OO:register_hooks", &pack, &unpack) == 0) {
      throw PythonError::take();
    }
    place_of(self).saved->register_hooks(new_saved_hooks("register_hooks", pack, unpack));
    Py_RETURN_NONE;
  });
}

PyObject* unpack(PyObject* self, PyObject*) {
  return guarded([&] {
    const PySavedTensor& place = place_of(self);
    return wrap(place.saved->look(*place.node, place.name));
  });
}

PyObject* data(PyObject* self, void*) {
  return guarded([&] { return packed_object(place_of(self).saved->kept()); });
}

PyObject* unpack_hook(PyObject* self, void*) {
  return guarded([&] { return unpack_function(place_of(self).saved->kept()); });
}

PyMethodDef saved_tensor_methods[] = {
    {"register_hooks", register_hooks, METH_VARARGS,
     "register_hooks(pack, unpack): keeps what pack(tensor) returns instead of the tensor, and "
     "gives it to unpack when backward needs the tensor"},
    {"unpack", unpack, METH_NOARGS, "unpack(): the tensor that was saved, or None"},
    {}};
PyGetSetDef saved_tensor_properties[] = {
    {"data", data, nullptr, "what is kept: the tensor, or what the pack hook returned", nullptr},
    {"unpack_hook", unpack_hook, nullptr, "the hook that undoes the packing, or None", nullptr},
    {}};

PyTypeObject saved_tensor_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.autograd.SavedTensor",
    .tp_basicsize = sizeof(PySavedTensor),
    .tp_dealloc = dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "The place where a node keeps a tensor.",
    .tp_methods = saved_tensor_methods,
    .tp_getset = saved_tensor_properties,
    .tp_new = forbid_new,
};

// --- attributes ---

PyObject* number(const Scalar& value) {
  switch (value.category()) {
    case DTypeCategory::kBool: return PyBool_FromLong(value.wrapped<bool>());
    case DTypeCategory::kFloating: return PyFloat_FromDouble(value.wrapped<double>());
    case DTypeCategory::kComplex: {
      const auto complex = value.wrapped<Complex<double>>();
      return PyComplex_FromDoubles(complex.real, complex.imag);
    }
    default: return PyLong_FromLongLong(value.wrapped<int64_t>());
  }
}

// A tuple of what `make` gives for each index.
template <class Make>
PyObject* tuple_of(size_t size, const Make& make) {
  Ref tuple(checked(PyTuple_New(static_cast<Py_ssize_t>(size))));
  for (size_t i = 0; i < size; ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), checked(make(i)));
  }
  return tuple.give();
}

PyObject* ints(Dims dims) {
  return tuple_of(dims.size(), [&](size_t i) { return PyLong_FromLongLong(dims[i]); });
}

// Finds one value by its name. With `raw`, the places of tensors instead of what is in them.
class Finder final : public autograd::SavedVisitor {
 public:
  Finder(Node& node, std::string_view name, bool raw) : node_(node), name_(name), raw_(raw) {}

  Ref take() { return std::move(found_); }

  void see(const char* name, SavedTensor& saved) override {
    if (name != name_) return;
    keep(raw_ ? new_place(node_, saved, name) : wrap(saved.look(node_, name)));
  }
  void see(const char* name, SavedTensors& saved) override {
    if (name != name_) return;
    keep(tuple_of(saved.size(), [&](size_t i) {
      SavedTensor& one = saved.saved(i);
      // A list that was freed is an error as a whole.
      return raw_ && !one.is_freed() ? new_place(node_, one, name) : wrap(one.look(node_, name));
    }));
  }
  void see(const char* name, const Scalar& value) override {
    value_of(name, [&] { return number(value); });
  }
  void see(const char* name, std::string_view value) override {
    value_of(name, [&] {
      return PyUnicode_FromStringAndSize(value.data(), static_cast<Py_ssize_t>(value.size()));
    });
  }
  void see(const char* name, Dims value) override {
    value_of(name, [&] { return ints(value); });
  }
  void see(const char* name, const ShapeList& value) override {
    value_of(name, [&] {
      return tuple_of(value.size(), [&](size_t i) { return ints(Dims(value[i])); });
    });
  }
  void see(const char* name, DType value) override {
    value_of(name, [&] { return Py_NewRef(dtype_object(value)); });
  }
  void see(const char* name, Device value) override {
    value_of(name, [&] { return new_device_object(value); });
  }
  void see_none(const char* name) override {
    value_of(name, [] { return Py_NewRef(Py_None); });
  }

 private:
  template <class Make>
  void value_of(const char* name, const Make& make) {
    if (!raw_ && name == name_) keep(make());
  }
  void keep(PyObject* object) { found_ = Ref(checked(object)); }

  Node& node_;
  std::string_view name_;
  bool raw_;
  Ref found_;
};

class Lister final : public autograd::SavedVisitor {
 public:
  explicit Lister(PyObject* list) : list_(list) {}

  void see(const char* name, SavedTensor&) override { add_both(name); }
  void see(const char* name, SavedTensors&) override { add_both(name); }
  void see(const char* name, const Scalar&) override { add(kSaved, name); }
  void see(const char* name, std::string_view) override { add(kSaved, name); }
  void see(const char* name, Dims) override { add(kSaved, name); }
  void see(const char* name, const ShapeList&) override { add(kSaved, name); }
  void see(const char* name, DType) override { add(kSaved, name); }
  void see(const char* name, Device) override { add(kSaved, name); }
  void see_none(const char* name) override { add(kSaved, name); }

 private:
  void add_both(const char* name) {
    add(kSaved, name);
    add(kRaw, name);
  }
  void add(std::string_view prefix, const char* name) {
    const Ref text(checked(PyUnicode_FromString(std::string(prefix).append(name).c_str())));
    if (PyList_Append(list_, text.get()) != 0) throw PythonError::take();
  }

  PyObject* list_;
};

class TensorLister final : public SavedTensorVisitor {
 public:
  TensorLister(Node& node, PyObject* list) : node_(node), list_(list) {}

  using SavedTensorVisitor::see;
  void see(const char* name, SavedTensor& saved) override {
    const Ref place(checked(new_place(node_, saved, name)));
    if (PyList_Append(list_, place.get()) != 0) throw PythonError::take();
  }

 private:
  Node& node_;
  PyObject* list_;
};

}  // namespace

PyObject* raw_saved_tensors(Node& node) {
  const Ref list(checked(PyList_New(0)));
  TensorLister lister(node, list.get());
  node.visit_saved(lister);
  return PySequence_Tuple(list.get());
}

bool is_saved_name(std::string_view attribute) {
  return attribute.starts_with(kSaved) || attribute.starts_with(kRaw);
}

PyObject* saved_attribute(Node& node, std::string_view attribute) {
  const bool raw = attribute.starts_with(kRaw);
  Finder finder(node, attribute.substr(raw ? kRaw.size() : kSaved.size()), raw);
  node.visit_saved(finder);
  return finder.take().give();
}

void add_saved_names(Node& node, PyObject* list) {
  Lister lister(list);
  node.visit_saved(lister);
}

bool add_saved_tensor_type(PyObject* module) {
  return PyType_Ready(&saved_tensor_type) == 0 &&
         PyModule_AddObjectRef(module, "SavedTensor",
                               reinterpret_cast<PyObject*>(&saved_tensor_type)) == 0;
}

}  // namespace eagre::python
