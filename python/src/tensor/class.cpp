// Making instances of derived classes, and attributes.
#include "tensor/class.h"

#include <cstddef>
#include <utility>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/detach.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/view.h>

#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "lifetime/wrapper.h"
#include "tensor/legacy_constructor.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// Rather than never to call it.
void refuse_dispatch(PyObject* type) {
  const Ref method(PyObject_GetAttrString(type, "__torch_dispatch__"));
  PyErr_Clear();
  if (!method || method.get() == Py_None) return;
  const Ref name(checked(PyType_GetName(reinterpret_cast<PyTypeObject*>(type))));
  throw Error(
      ErrorKind::kUnimplemented,
      concat(PyUnicode_AsUTF8(name.get()),
             ".__torch_dispatch__: there is no dispatch below autograd that a class could take "
             "over. Hint: __torch_function__ sees the calls that users make, above autograd"));
}

PyObject* new_class(PyTypeObject* metaclass, PyObject* args, PyObject* names) {
  return guarded([&] {
    Ref made(checked(PyType_Type.tp_new(metaclass, args, names)));
    if (!PyType_Check(made.get())) return made.give();
    refuse_dispatch(made.get());
    adopt_class(reinterpret_cast<PyTypeObject*>(made.get()));
    return made.give();
  });
}

// Without names that only say why they are not there.
PyObject* list_names(PyObject* type, PyObject*) {
  const Ref module(PyImport_ImportModule("eagre._unsupported"));
  return module ? PyObject_CallMethod(module.get(), "names_of_class", "O", type) : nullptr;
}

PyMethodDef metaclass_methods[] = {{"__dir__", list_names, METH_NOARGS, nullptr}, {}};

PyTypeObject* class_argument(const Arguments& a, size_t i) {
  if (!PyType_Check(a[i]) ||
      PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(a[i]), &tensor_type) == 0) {
    a.wrong_type(i, "a class that derives from Tensor");
  }
  return reinterpret_cast<PyTypeObject*>(a[i]);
}

constexpr Parameter kMakeParameters[] = {{"cls"}, {"data"}, {"require_grad", nullptr, false}};
constexpr Signature kMakeSubclass{"_make_subclass", kMakeParameters, 3};

PyObject* make_subclass(const Arguments& a) {
  PyTypeObject* type = class_argument(a, 0);
  TensorBase data = autograd::detach(a.tensor(1));
  if (a.boolean(2, false)) autograd::set_requires_grad(data, true);
  return wrap_as(type, std::move(data));
}

// Whatever it is given: PyTorch's has many arguments.
PyObject* make_wrapper_subclass(PyObject*, PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    throw Error(ErrorKind::kUnimplemented,
                "_make_wrapper_subclass(): tensors without memory of their own are not supported: "
                "there is no dispatch below autograd that would give them a meaning. Hint: "
                "_make_subclass(cls, data) shares the memory of a tensor, and __torch_function__ "
                "sees calls");
  });
}

constexpr Parameter kAsParameters[] = {{"self"}, {"cls"}};
constexpr Signature kAsSubclass{"as_subclass", kAsParameters, 2};

PyObject* as_subclass(const Arguments& a) {
  PyTypeObject* type = class_argument(a, 1);
  const TensorBase& self = a.tensor(0);
  return wrap_as(type, ops::view(self, self.sizes(), CallSite::language_frame()));
}

}  // namespace

PyTypeObject tensor_metaclass = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre._C._TensorMeta",
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_TYPE_SUBCLASS,
    .tp_doc = "The class of Tensor and of the classes that derive from it.",
    .tp_methods = metaclass_methods,
    .tp_base = &PyType_Type,
    .tp_new = new_class,
};

void adopt_class(PyTypeObject* type) {
  if (type->tp_dealloc == dealloc_derived) return;
  type->tp_dealloc = dealloc_derived;
  type->tp_traverse = traverse_tensor;
  type->tp_clear = clear_tensor;
}

PyObject* wrap_as(PyTypeObject* type, TensorBase tensor) {
  if (type == &tensor_type) return wrap(std::move(tensor));
  adopt_class(type);
  PyObject* wrapper = type->tp_alloc(type, 0);
  if (wrapper != nullptr) bind_fresh_wrapper(as_tensor(wrapper), std::move(tensor));
  return wrapper;
}

// detach(): what was made may keep an object already, of the class of the data.
PyObject* new_tensor_object(PyTypeObject* type, PyObject* args, PyObject* keywords) {
  return guarded(
      [&] { return wrap_as(type, autograd::detach(tensor_from_constructor(args, keywords))); });
}

int set_tensor_attribute(PyObject* self, PyObject* name, PyObject* value) {
  const int result = PyObject_GenericSetAttr(self, name, value);
  if (as_tensor(self).attributes != nullptr) give_state(self);
  return result;
}

PyObject* class_of_tensor(PyObject* self, void*) {
  return Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(self)));
}

// CPython would refuse it, since our classes do not end as it makes classes end. They all end
// alike, so that objects of the same size can change among them.
int set_class_of_tensor(PyObject* self, PyObject* value, void*) {
  PyTypeObject* old = Py_TYPE(self);
  auto* type =
      value != nullptr && PyType_Check(value) ? reinterpret_cast<PyTypeObject*>(value) : nullptr;
  const auto adds_nothing = [](const PyTypeObject* derived) {
    return derived->tp_basicsize == tensor_type.tp_basicsize && derived->tp_itemsize == 0;
  };
  if (type == nullptr || PyType_IsSubtype(type, &tensor_type) == 0 || !adds_nothing(type) ||
      !adds_nothing(old)) {
    const Ref names(
        PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyBaseObject_Type), "__dict__"));
    const Ref usual(names ? PyMapping_GetItemString(names.get(), "__class__") : nullptr);
    return usual ? Py_TYPE(usual.get())->tp_descr_set(usual.get(), self, value) : -1;
  }
  if (type != &tensor_type) adopt_class(type);
  if (PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) != 0) Py_INCREF(type);
  Py_SET_TYPE(self, type);
  if (PyType_HasFeature(old, Py_TPFLAGS_HEAPTYPE) != 0) Py_DECREF(old);
  give_state(self);  // as all objects of derived classes have
  return 0;
}

PyObject* tensor_attributes(PyObject* self, void*) {
  give_state(self);
  return PyObject_GenericGetDict(self, nullptr);
}
int set_tensor_attributes(PyObject* self, PyObject* value, void*) {
  give_state(self);
  return PyObject_GenericSetDict(self, value, nullptr);
}

const PyMethodDef kClassMethods[] = {
    [] {
      PyMethodDef made = with_keywords<kMakeSubclass, make_subclass, false, Overridable::kNo>(
          "_make_subclass",
          "_make_subclass(cls, data, require_grad=False): a leaf of this class on the memory of "
          "data");
      made.ml_flags |= METH_STATIC;
      return made;
    }(),
    {"_make_wrapper_subclass",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(make_wrapper_subclass)),
     METH_VARARGS | METH_KEYWORDS | METH_STATIC, nullptr},
    with_keywords<kAsSubclass, as_subclass, true, Overridable::kNo>(
        "as_subclass", "as_subclass(cls): the same tensor as an instance of a derived class"),
    {}};

}  // namespace eagre::python
