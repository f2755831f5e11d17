// Slot functions that ask __torch_function__ first, and else call what the type had.
#include "tensor/overridable_slots.h"

#include <cstring>
#include <vector>

#include "call/overrides.h"
#include "interpreter/object.h"

namespace eagre::python {
namespace {

// What the type had. Never changed after the start.
struct Plain {
  unaryfunc as_int, as_float, as_index, positive;
  inquiry as_bool;
  PyMappingMethods mapping;
  reprfunc represent;
  getiterfunc iterate;
  objobjproc contains;
};
Plain plain = {};

bool is_taken_over(PyObject* self) { return takes_over(self) || modes_take_over(); }

PyObject* override_unary(const char* name, PyObject* self) {
  return override_method(name, self, nullptr, 0, nullptr);
}

template <unaryfunc Plain::*kSlot>
PyObject* unary(const char* name, PyObject* self) {
  return is_taken_over(self) ? override_unary(name, self) : (plain.*kSlot)(self);
}

PyObject* as_int(PyObject* self) { return unary<&Plain::as_int>("__int__", self); }
PyObject* as_float(PyObject* self) { return unary<&Plain::as_float>("__float__", self); }
PyObject* as_index(PyObject* self) { return unary<&Plain::as_index>("__index__", self); }
PyObject* positive(PyObject* self) { return unary<&Plain::positive>("__pos__", self); }
PyObject* represent(PyObject* self) { return unary<&Plain::represent>("__repr__", self); }
PyObject* iterate(PyObject* self) { return unary<&Plain::iterate>("__iter__", self); }

int as_bool(PyObject* self) {
  if (!is_taken_over(self)) [[likely]]
    return plain.as_bool(self);
  const Ref result(override_unary("__bool__", self));
  return result ? PyObject_IsTrue(result.get()) : -1;
}

Py_ssize_t length(PyObject* self) {
  if (!is_taken_over(self)) [[likely]]
    return plain.mapping.mp_length(self);
  const Ref result(override_unary("__len__", self));
  return result ? PyLong_AsSsize_t(result.get()) : -1;
}

bool is_taken_over(PyObject* self, PyObject* key) {
  return takes_over(self) || takes_over(key) || element_takes_over(key) || modes_take_over();
}

PyObject* subscript(PyObject* self, PyObject* key) {
  if (is_taken_over(self, key)) [[unlikely]]
    return override_method("__getitem__", self, &key, 1, nullptr);
  return plain.mapping.mp_subscript(self, key);
}

int assign_subscript(PyObject* self, PyObject* key, PyObject* value) {
  const bool taken = is_taken_over(self, key) || (value != nullptr && takes_over(value));
  if (!taken || value == nullptr) [[likely]]
    return plain.mapping.mp_ass_subscript(self, key, value);
  PyObject* arguments[] = {key, value};
  return Ref(override_method("__setitem__", self, arguments, 2, nullptr)) ? 0 : -1;
}

int contains(PyObject* self, PyObject* element) {
  if (!is_taken_over(self) && !takes_over(element)) [[likely]]
    return plain.contains(self, element);
  const Ref result(override_method("__contains__", self, &element, 1, nullptr));
  return result ? PyObject_IsTrue(result.get()) : -1;
}

// --- properties: the closure is what the property was ---

const PyGetSetDef& original(void* closure) { return *static_cast<const PyGetSetDef*>(closure); }

PyObject* get(PyObject* self, void* closure) {
  const PyGetSetDef& property = original(closure);
  if (is_taken_over(self)) [[unlikely]]
    return override_property(property.name, "__get__", self, nullptr);
  return property.get(self, property.closure);
}

int set(PyObject* self, PyObject* value, void* closure) {
  const PyGetSetDef& property = original(closure);
  if (!is_taken_over(self) && (value == nullptr || !takes_over(value))) [[likely]] {
    return property.set(self, value, property.closure);
  }
  const char* accessor = value == nullptr ? "__delete__" : "__set__";
  return Ref(override_property(property.name, accessor, self, value)) ? 0 : -1;
}

// Never freed: types live as long as the process.
PyGetSetDef* overridable_properties(PyGetSetDef* properties) {
  auto& list = *new std::vector<PyGetSetDef>;
  for (; properties->name != nullptr; ++properties) {
    // What every object has.
    if (std::strcmp(properties->name, "__dict__") == 0 ||
        std::strcmp(properties->name, "__class__") == 0) {
      list.push_back(*properties);
      continue;
    }
    list.push_back({properties->name, get, properties->set == nullptr ? nullptr : set,
                    properties->doc, properties});
  }
  list.push_back({});
  return list.data();
}

}  // namespace

void make_overridable(PyTypeObject& type) {
  PyNumberMethods& numbers = *type.tp_as_number;
  plain = {.as_int = numbers.nb_int,
           .as_float = numbers.nb_float,
           .as_index = numbers.nb_index,
           .positive = numbers.nb_positive,
           .as_bool = numbers.nb_bool,
           .mapping = *type.tp_as_mapping,
           .represent = type.tp_repr,
           .iterate = type.tp_iter,
           .contains = type.tp_as_sequence->sq_contains};
  numbers.nb_int = as_int;
  numbers.nb_float = as_float;
  numbers.nb_index = as_index;
  numbers.nb_positive = positive;
  numbers.nb_bool = as_bool;
  *type.tp_as_mapping = {length, subscript, assign_subscript};
  type.tp_as_sequence->sq_contains = contains;
  type.tp_repr = represent;
  type.tp_iter = iterate;
  type.tp_getset = overridable_properties(type.tp_getset);
}

}  // namespace eagre::python
