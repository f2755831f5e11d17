// Who takes over a call, and the call of those who do.
#include "call/overrides.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/base/export.h>

#include "call/handed_back.h"
#include "call/override_state.h"
#include "call/torch_function.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {

namespace {

// --- types ---

// Answers for types, as long as they are not changed. Guarded by the GIL.
struct TypeAnswer {
  PyTypeObject* type;
  unsigned version;
  bool overrides;
};
TypeAnswer answers[64] = {};

bool look_up(PyTypeObject* type) {
  static PyObject* const name = PyUnicode_InternFromString("__torch_function__");
  PyObject* found = _PyType_Lookup(type, name);
  return found != nullptr && found != disabled_torch_function();
}

bool overrides(PyTypeObject* type) {
  TypeAnswer& answer = answers[(reinterpret_cast<uintptr_t>(type) >> 5) % std::size(answers)];
  const bool is_known = answer.type == type && answer.version == type->tp_version_tag &&
                        PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG) != 0;
  if (is_known) [[likely]]
    return answer.overrides;
  const bool result = look_up(type);
  if (PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG) != 0) {
    answer = {type, type->tp_version_tag, result};
  }
  return result;
}

// --- the objects that are asked ---

// In the order of the arguments, but derived classes before those they derive from; one of each.
class Overriding {
 public:
  void add(PyObject* object) {
    if (may_take_over(object) && takes_over_slowly(object)) insert(object);
    if (!PyTuple_Check(object) && !PyList_Check(object)) return;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
      PyObject* element = PySequence_Fast_GET_ITEM(object, i);
      if (may_take_over(element) && takes_over_slowly(element)) insert(element);
    }
  }
  const std::vector<Ref>& objects() const { return objects_; }
  Ref types() const {
    Ref tuple(checked(PyTuple_New(static_cast<Py_ssize_t>(objects_.size()))));
    for (size_t i = 0; i < objects_.size(); ++i) {
      PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                       Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(objects_[i].get()))));
    }
    return tuple;
  }

 private:
  void insert(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    for (const Ref& known : objects_) {
      if (Py_TYPE(known.get()) == type) return;
    }
    const auto place = std::find_if(objects_.begin(), objects_.end(), [&](const Ref& known) {
      return PyType_IsSubtype(type, Py_TYPE(known.get())) != 0;
    });
    objects_.insert(place, Ref::share(object));
  }
  std::vector<Ref> objects_;
};

// --- the call ---

struct Call {
  Ref function;
  Overriding overriding;
  Ref args;
  Ref names;  // a dict; null without any
};

thread_local AskedCall::List asked_calls = nullptr;

// By one of the objects that could be asked again.
bool is_handed_back(const Call& call) {
  return !call.overriding.objects().empty() &&
         AskedCall::contains(asked_calls, call.function.get(), call.args.get(), call.names.get());
}

PyObject* ask(PyObject* object, const Call& call, PyObject* types) {
  static PyObject* const name = PyUnicode_InternFromString("__torch_function__");
  const Ref handler(checked(PyObject_GetAttr(object, name)));
  return checked(PyObject_CallFunctionObjArgs(handler.get(), call.function.get(), types,
                                              call.args.get(), call.names.get(), nullptr));
}

// What a call is that nobody took: an error, or for an operator the answer that lets Python ask the
// other side.
enum class NotTaken : uint8_t { kRaise, kNotImplemented };

[[noreturn]] EAGRE_COLD void raise_not_taken(const Call& call, PyObject* mode) {
  const Ref name(PyObject_GetAttrString(call.function.get(), "__name__"));
  const char* text = name && PyUnicode_Check(name.get()) ? PyUnicode_AsUTF8(name.get()) : nullptr;
  std::string message = concat("Multiple dispatch failed for 'eagre.", text ? text : "?",
                               "'; all __torch_function__ handlers returned NotImplemented:\n");
  PyErr_Clear();
  const auto list = [&](const char* what, PyObject* object) {
    const Ref repr(checked(PyObject_Repr(object)));
    message.append(concat("\n  - ", what, " ", PyUnicode_AsUTF8(repr.get())));
  };
  if (mode != nullptr) list("mode object", mode);
  for (const Ref& object : call.overriding.objects()) {
    list("tensor subclass", reinterpret_cast<PyObject*>(Py_TYPE(object.get())));
  }
  throw Error(ErrorKind::kType, message);
}

PyObject* run(const Call& call, NotTaken not_taken = NotTaken::kRaise) {
  const Ref types = call.overriding.types();
  Ref mode;
  if (mode_takes_over()) {
    const ModeLeft left;  // what the mode calls does not come back to it
    mode = Ref::share(left.mode());
    Ref result(ask(mode.get(), call, types.get()));
    if (result.get() != Py_NotImplemented) return result.give();
  }
  if (is_handed_back(call)) {
    refuse_foreign_tensor(call.function.get(), call.overriding.objects().front().get());
  }
  const AskedCall asked(asked_calls, call.function.get(), call.args.get(), call.names.get());
  for (const Ref& object : call.overriding.objects()) {
    Ref result(ask(object.get(), call, types.get()));
    if (result.get() != Py_NotImplemented) return result.give();
  }
  if (not_taken == NotTaken::kNotImplemented) Py_RETURN_NOTIMPLEMENTED;
  raise_not_taken(call, mode.get());
}

// Arguments of a METH_FASTCALL function as a tuple and a dict.
void fill(Call& call, PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  const Py_ssize_t first = self == nullptr ? 0 : 1;
  call.args = Ref(checked(PyTuple_New(first + count)));
  if (self != nullptr) {
    PyTuple_SET_ITEM(call.args.get(), 0, Py_NewRef(self));
    call.overriding.add(self);
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyTuple_SET_ITEM(call.args.get(), first + i, Py_NewRef(args[i]));
    call.overriding.add(args[i]);
  }
  if (names == nullptr || PyTuple_GET_SIZE(names) == 0) return;
  call.names = Ref(checked(PyDict_New()));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
    PyObject* value = args[count + i];
    if (PyDict_SetItem(call.names.get(), PyTuple_GET_ITEM(names, i), value) != 0) {
      throw PythonError::take();
    }
    call.overriding.add(value);
  }
}

PyObject* compiled_module() {
  static PyObject* const module = PyImport_ImportModule("eagre._C");
  return module;
}

Ref tensor_attribute(const char* name) {
  PyObject* type = reinterpret_cast<PyObject*>(&tensor_type);
  return Ref(checked(PyObject_GetAttrString(type, name)));
}

}  // namespace

bool takes_over_slowly(PyObject* object) {
  return overrides(Py_TYPE(object)) && !subclasses_are_disabled() && !PyType_Check(object);
}

bool element_takes_over(PyObject* list) {
  if (!PyTuple_Check(list) && !PyList_Check(list)) return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list); ++i) {
    if (takes_over(PySequence_Fast_GET_ITEM(list, i))) return true;
  }
  return false;
}

PyObject* override_function(const char* name, PyObject* const* args, Py_ssize_t count,
                            PyObject* names) {
  return guarded([&] {
    Call call;
    call.function = Ref(checked(PyObject_GetAttrString(compiled_module(), name)));
    fill(call, nullptr, args, count, names);
    return run(call);
  });
}

PyObject* override_method(const char* name, PyObject* self, PyObject* const* args, Py_ssize_t count,
                          PyObject* names) {
  return guarded([&] {
    Call call;
    call.function = tensor_attribute(name);
    fill(call, self, args, count, names);
    return run(call);
  });
}

bool is_public_function(const char* name) {
  const int found = PyObject_HasAttrString(compiled_module(), name);
  return found != 0;
}

const char* name_of_method(PyCFunction method) {
  const PyMethodDef* entry = tensor_type.tp_methods;
  while (entry->ml_meth != method) ++entry;
  return entry->ml_name;
}

PyObject* override_inplace_operator(const char* name, PyObject* self, PyObject* other) {
  return guarded([&] {
    Call call;
    call.function = tensor_attribute(name);
    fill(call, self, &other, 1, nullptr);
    return run(call, NotTaken::kNotImplemented);
  });
}

PyObject* override_operator(const OperatorNames& names, PyObject* a, PyObject* b) {
  return is_tensor(a) ? override_inplace_operator(names.plain, a, b)
                      : override_inplace_operator(names.reflected, b, a);
}

PyObject* override_property(const char* name, const char* accessor, PyObject* self,
                            PyObject* value) {
  return guarded([&] {
    Call call;
    const Ref property = tensor_attribute(name);
    call.function = Ref(checked(PyObject_GetAttrString(property.get(), accessor)));
    fill(call, self, &value, value == nullptr ? 0 : 1, nullptr);
    return run(call);
  });
}

PyObject* override_call(PyObject* function, PyObject* relevant, PyObject* args, PyObject* names) {
  return guarded([&] {
    Call call;
    call.function = Ref::share(function);
    call.args = Ref::share(args);
    call.names = Ref::share(names);
    call.overriding.add(relevant);
    if (!is_handed_back(call)) return run(call);
    // Functions written in Python say themselves what they make of it: as_tensor() converts it.
    const AskedScope scope(Asked::kModes);
    return checked(PyObject_Call(function, args, names));
  });
}

}  // namespace eagre::python
