// eagre._C._ModuleBase: a call that has no hooks to run is one of forward(); parameters, buffers
// and submodules are found in their dicts without a __getattr__ of Python.
#include "nn/module_object.h"

#include <cstddef>
#include <iterator>

#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

struct ModuleObject {
  PyObject_HEAD PyObject* attributes;
  PyObject* weak_references;
  vectorcallfunc vectorcall;
};

ModuleObject* module_of(PyObject* object) { return reinterpret_cast<ModuleObject*>(object); }

// Names that are looked up; made once.
struct Names {
  PyObject *forward, *call_impl, *set_member, *remove_member, *getattr, *getattribute;
  PyObject* members[3];  // in the order in which they are searched
  PyObject* hooks[4];
} names;

PyObject* hooks_of_all[4];  // the dicts themselves, for ever
PyTypeObject* base_type();

// --- attributes ---

// What a module has under this name: a parameter, buffer or submodule. Borrowed; null, perhaps with
// an exception, of other names.
PyObject* find_member(PyObject* self, PyObject* name) {
  PyObject* attributes = module_of(self)->attributes;
  if (attributes == nullptr) return nullptr;
  for (PyObject* kind : names.members) {
    PyObject* dict = PyDict_GetItemWithError(attributes, kind);
    if (dict == nullptr || !PyDict_Check(dict)) continue;
    PyObject* found = PyDict_GetItemWithError(dict, name);
    if (found != nullptr || PyErr_Occurred() != nullptr) return found;
  }
  return nullptr;
}

PyObject* member_or_error(PyObject* self, PyObject* name) {
  if (!PyUnicode_Check(name)) {
    PyErr_Format(PyExc_TypeError, "attribute name must be string, not '%.200s'",
                 Py_TYPE(name)->tp_name);
    return nullptr;
  }
  PyObject* found = find_member(self, name);
  if (found == nullptr && PyErr_Occurred() == nullptr) {
    PyErr_Format(PyExc_AttributeError, "'%.200s' object has no attribute '%U'",
                 Py_TYPE(self)->tp_name, name);
  }
  return Py_XNewRef(found);
}

PyObject* get_attribute(PyObject* self, PyObject* name) {
  PyTypeObject* type = Py_TYPE(self);
  // A class with a __getattr__ of its own comes here for what is not found by that.
  if (type->tp_getattro != get_attribute || !PyUnicode_Check(name)) {
    return PyObject_GenericGetAttr(self, name);
  }
  PyObject* of_class = _PyType_Lookup(type, name);
  if (of_class == nullptr) {
    PyObject* attributes = module_of(self)->attributes;
    PyObject* own = attributes == nullptr ? nullptr : PyDict_GetItemWithError(attributes, name);
    if (own != nullptr) return Py_NewRef(own);
    return PyErr_Occurred() != nullptr ? nullptr : member_or_error(self, name);
  }
  PyObject* found = PyObject_GenericGetAttr(self, name);
  if (found != nullptr || PyErr_ExceptionMatches(PyExc_AttributeError) == 0) return found;
  // A property that failed; a member may have its name.
  PyObject *kind, *value, *trace;
  PyErr_Fetch(&kind, &value, &trace);
  PyObject* member = find_member(self, name);
  if (member == nullptr) {
    PyErr_Clear();
    PyErr_Restore(kind, value, trace);
    return nullptr;
  }
  Py_XDECREF(kind);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return Py_NewRef(member);
}

// Names that are no member, and values that cannot be one, are set like those of any object. These
// are methods, no slots: programs call object.__setattr__ of modules, which slots would forbid.
PyObject* set_attribute(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  if (count != 2) {
    PyErr_Format(PyExc_TypeError, "__setattr__() takes 2 arguments, but %zd were given", count);
    return nullptr;
  }
  PyObject *name = args[0], *value = args[1];
  const bool may_be_member = is_tensor(value) || PyObject_TypeCheck(value, base_type()) != 0;
  if (!may_be_member && find_member(self, name) == nullptr) {
    if (PyErr_Occurred() != nullptr || PyObject_GenericSetAttr(self, name, value) != 0) {
      return nullptr;
    }
    Py_RETURN_NONE;
  }
  return PyObject_CallMethodObjArgs(self, names.set_member, name, value, nullptr);
}

PyObject* delete_attribute(PyObject* self, PyObject* name) {
  if (find_member(self, name) != nullptr) {
    return PyObject_CallMethodOneArg(self, names.remove_member, name);
  }
  if (PyErr_Occurred() != nullptr) return nullptr;
  if (PyObject_GenericSetAttr(self, name, nullptr) != 0) return nullptr;
  Py_RETURN_NONE;
}

// --- calls ---

bool is_empty(PyObject* dict) {
  return dict != nullptr && PyDict_Check(dict) && PyDict_GET_SIZE(dict) == 0;
}

// Is there nothing to run but forward()?
bool is_plain(PyObject* attributes) {
  if (attributes == nullptr) return false;
  for (PyObject* hooks : hooks_of_all) {
    if (!is_empty(hooks)) return false;
  }
  for (PyObject* kind : names.hooks) {
    if (!is_empty(PyDict_GetItemWithError(attributes, kind))) return false;
  }
  return true;
}

// A module may be its own forward(): such calls end as those of Python do.
template <class F>
PyObject* call_found(PyObject* self, PyObject* name, const F& call) {
  const Ref function(PyObject_GetAttr(self, name));
  if (!function || Py_EnterRecursiveCall(" while calling a module") != 0) return nullptr;
  PyObject* result = call(function.get());
  Py_LeaveRecursiveCall();
  return result;
}

PyObject* run_call(PyObject* self, PyObject* args, PyObject* keywords) {
  const bool plain = is_plain(module_of(self)->attributes);
  if (PyErr_Occurred() != nullptr) return nullptr;
  return call_found(self, plain ? names.forward : names.call_impl,
                    [&](PyObject* function) { return PyObject_Call(function, args, keywords); });
}

// The function of the class that a call of forward() runs, if it takes `self` first; borrowed.
PyObject* forward_of_class(PyObject* self, PyObject* attributes) {
  if (PyDict_GetItemWithError(attributes, names.forward) != nullptr) return nullptr;
  PyObject* found = _PyType_Lookup(Py_TYPE(self), names.forward);
  const bool takes_self =
      found != nullptr && (Py_TYPE(found)->tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR) != 0;
  return takes_self && Py_TYPE(self)->tp_getattro == get_attribute ? found : nullptr;
}

PyObject* run_vectorcall(PyObject* self, PyObject* const* args, size_t flags, PyObject* keywords) {
  const Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (Py_TYPE(self)->tp_call != run_call) {  // somebody has given the class a __call__
    const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
    const Ref tuple(PyTuple_New(count)), dict(named > 0 ? PyDict_New() : nullptr);
    if (!tuple || (named > 0 && !dict)) return nullptr;
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyTuple_SET_ITEM(tuple.get(), i, Py_NewRef(args[i]));
    }
    for (Py_ssize_t i = 0; i < named; ++i) {
      if (PyDict_SetItem(dict.get(), PyTuple_GET_ITEM(keywords, i), args[count + i]) != 0) {
        return nullptr;
      }
    }
    return Py_TYPE(self)->tp_call(self, tuple.get(), dict.get());
  }
  PyObject* attributes = module_of(self)->attributes;
  const bool plain = is_plain(attributes);
  if (plain) {
    PyObject* forward = forward_of_class(self, attributes);
    if (forward != nullptr && (flags & PY_VECTORCALL_ARGUMENTS_OFFSET) != 0) {
      // The caller lends the place in front of the arguments.
      auto** with_self = const_cast<PyObject**>(args) - 1;
      PyObject* lent = with_self[0];
      with_self[0] = self;
      const Ref function = Ref::share(forward);
      PyObject* result =
          PyObject_Vectorcall(function.get(), with_self, static_cast<size_t>(count) + 1, keywords);
      with_self[0] = lent;
      return result;
    }
  }
  if (PyErr_Occurred() != nullptr) return nullptr;
  return call_found(self, plain ? names.forward : names.call_impl, [&](PyObject* function) {
    return PyObject_Vectorcall(function, args, flags, keywords);
  });
}

// --- objects ---

PyObject* get_member(PyObject* self, PyObject* name) { return member_or_error(self, name); }
PyMethodDef methods[] = {
    {"__getattr__", get_member, METH_O, "The parameter, buffer or submodule of this name."},
    {"__setattr__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(set_attribute)),
     METH_FASTCALL, "Sets an attribute; parameters and modules become members."},
    {"__delattr__", delete_attribute, METH_O, "Removes an attribute or a member."},
    {}};

// CPython gives a class that inherits a __getattr__ the slot that calls it by name after each miss,
// and keeps vectorcall from classes of programs. Both hold for a class that replaces neither;
// assigning either to it later sets its slots anew.
void prepare(PyTypeObject* type) {
  if (type->tp_call == run_call) type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
  if (type->tp_getattro == get_attribute) return;
  PyTypeObject* base = base_type();
  if (_PyType_Lookup(type, names.getattr) != PyDict_GetItem(base->tp_dict, names.getattr) ||
      _PyType_Lookup(type, names.getattribute) !=
          PyDict_GetItem(base->tp_dict, names.getattribute)) {
    return;
  }
  type->tp_getattro = get_attribute;
  PyType_Modified(type);
}

PyObject* make(PyTypeObject* type, PyObject*, PyObject*) {
  prepare(type);
  // Arguments are those of __init__(). What object does refuses classes that are abstract.
  const Ref none(PyTuple_New(0));
  PyObject* self = none ? PyBaseObject_Type.tp_new(type, none.get(), nullptr) : nullptr;
  if (self != nullptr) {
    module_of(self)->vectorcall = run_vectorcall;
    // Some versions of CPython have made it already.
    PyObject*& attributes = module_of(self)->attributes;
    if (attributes == nullptr) attributes = PyDict_New();
    if (attributes == nullptr) {
      Py_DECREF(self);
      return nullptr;
    }
  }
  return self;
}

int visit(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(module_of(self)->attributes);
  return 0;
}

int clear(PyObject* self) {
  Py_CLEAR(module_of(self)->attributes);
  return 0;
}

void dispose(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (module_of(self)->weak_references != nullptr) PyObject_ClearWeakRefs(self);
  clear(self);
  Py_TYPE(self)->tp_free(self);
}

PyGetSetDef properties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr}, {}};

PyTypeObject type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre._C._ModuleBase",
    .tp_basicsize = sizeof(ModuleObject),
    .tp_dealloc = dispose,
    .tp_vectorcall_offset = offsetof(ModuleObject, vectorcall),
    .tp_call = run_call,
    .tp_getattro = get_attribute,
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_doc = "The base of nn.Module.",
    .tp_traverse = visit,
    .tp_clear = clear,
    .tp_weaklistoffset = offsetof(ModuleObject, weak_references),
    .tp_methods = methods,
    .tp_getset = properties,
    .tp_dictoffset = offsetof(ModuleObject, attributes),
    .tp_new = make,
};

PyTypeObject* base_type() { return &type; }

PyObject* set_module_hooks(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count != static_cast<Py_ssize_t>(std::size(hooks_of_all))) {
    PyErr_SetString(PyExc_TypeError, "_set_module_hooks(): expected four dicts");
    return nullptr;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    Py_XDECREF(hooks_of_all[i]);
    hooks_of_all[i] = Py_NewRef(args[i]);
  }
  Py_RETURN_NONE;
}

PyObject* prepare_class(PyObject*, PyObject* object) {
  if (!PyType_Check(object) ||
      PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(object), &type) == 0) {
    PyErr_SetString(PyExc_TypeError, "_prepare_module_class(): expected a class of modules");
    return nullptr;
  }
  prepare(reinterpret_cast<PyTypeObject*>(object));
  Py_RETURN_NONE;
}

}  // namespace

const PyMethodDef kModuleFunctions[] = {
    {"_prepare_module_class", prepare_class, METH_O, nullptr},
    {"_set_module_hooks",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(set_module_hooks)), METH_FASTCALL,
     nullptr},
    {}};

bool add_module_base(PyObject* module) {
  const auto intern = [](PyObject*& name, const char* text) {
    name = PyUnicode_InternFromString(text);
    return name != nullptr;
  };
  return intern(names.forward, "forward") && intern(names.call_impl, "_call_impl") &&
         intern(names.set_member, "_set_member") && intern(names.remove_member, "_remove_member") &&
         intern(names.getattr, "__getattr__") && intern(names.getattribute, "__getattribute__") &&
         intern(names.members[0], "_parameters") && intern(names.members[1], "_buffers") &&
         intern(names.members[2], "_modules") && intern(names.hooks[0], "_backward_hooks") &&
         intern(names.hooks[1], "_backward_pre_hooks") &&
         intern(names.hooks[2], "_forward_hooks") && intern(names.hooks[3], "_forward_pre_hooks") &&
         PyType_Ready(&type) == 0 &&
         PyModule_AddObjectRef(module, "_ModuleBase", reinterpret_cast<PyObject*>(&type)) == 0;
}

}  // namespace eagre::python
