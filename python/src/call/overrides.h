// __torch_function__: objects and modes that take over calls of our functions.
//
// Every function asks takes_over() of its arguments first. Plain tensors, numbers, lists and the
// like are not made by a `class` statement, which one bit of their type says; so the usual call
// pays three instructions per argument, and one question for modes.
#pragma once

#include "call/override_state.h"
#include "types/tensor.h"

namespace eagre::python {

// Does this object take over calls, in this thread and now?
bool takes_over_slowly(PyObject* object);

inline bool may_take_over(PyObject* object) {
  return PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_HEAPTYPE) != 0;
}
inline bool takes_over(PyObject* object) {
  return may_take_over(object) && takes_over_slowly(object);
}
inline bool modes_take_over() {
  if (entered_modes == 0) [[likely]]
    return false;
  return mode_takes_over();
}

// One of the elements of a list or tuple; false for anything else.
bool element_takes_over(PyObject* list);

// One of the arguments of a METH_FASTCALL function. With kLists, what lists hold counts too.
template <bool kLists>
inline bool call_is_taken_over(PyObject* self, PyObject* const* args, Py_ssize_t count,
                               PyObject* names) {
  if (names != nullptr) [[unlikely]]
    count += PyTuple_GET_SIZE(names);
  bool found = self != nullptr && takes_over(self);
  for (Py_ssize_t i = 0; i < count; ++i) {
    found |= takes_over(args[i]);
    if constexpr (kLists) found |= element_takes_over(args[i]);
  }
  return found || modes_take_over();
}

// Runs such a call. The function that __torch_function__ is told of is eagre._C.<name>.
PyObject* override_function(const char* name, PyObject* const* args, Py_ssize_t count,
                            PyObject* names);
// Tensor.<name>, called with self first.
PyObject* override_method(const char* name, PyObject* self, PyObject* const* args, Py_ssize_t count,
                          PyObject* names);
// Is eagre._C.<name> a function?
bool is_public_function(const char* name);
// Of a method in the table of Tensor.
const char* name_of_method(PyCFunction method);

// The methods that an operator stands for: of its left side, and of its right one.
struct OperatorNames {
  const char* plain;
  const char* reflected;
};
// Two tensors of our own class, and nobody else to ask.
inline bool are_plain(PyObject* a, PyObject* b) {
  return is_exact_tensor(a) && is_exact_tensor(b) && entered_modes == 0;
}
inline bool operator_is_taken_over(PyObject* a, PyObject* b) {
  return takes_over(a) || takes_over(b) || modes_take_over();
}
// a ∘ b; the result is NotImplemented if nobody took it.
PyObject* override_operator(const OperatorNames& names, PyObject* a, PyObject* b);
PyObject* override_inplace_operator(const char* name, PyObject* self, PyObject* other);
// Tensor.<name>.__get__, __set__ or __delete__ (`value` null).
PyObject* override_property(const char* name, const char* accessor, PyObject* self,
                            PyObject* value);
// A function given as an object.
PyObject* override_call(PyObject* function, PyObject* relevant, PyObject* args, PyObject* names);

}  // namespace eagre::python
