// The places of attributes: the dict, and what __slots__ added to the object.
#include "lifetime/attributes.h"

#include <structmember.h>

#include "interpreter/compat.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// f for the place of everything that __slots__ of derived classes added.
template <class F>
int for_slots(PyObject* self, const F& f) {
  for (PyTypeObject* type = Py_TYPE(self); type != &tensor_type; type = type->tp_base) {
    PyMemberDef* member = compat::members(type);
    for (Py_ssize_t i = 0; i < Py_SIZE(type); ++i, ++member) {
      if (member->type != T_OBJECT_EX || (member->flags & READONLY) != 0) continue;
      auto* place = reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self) + member->offset);
      if (const int result = f(*place)) return result;
    }
  }
  return 0;
}

}  // namespace

int traverse_attributes(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_tensor(self).attributes);
  return for_slots(self, [&](PyObject* slot) {
    Py_VISIT(slot);
    return 0;
  });
}

void clear_slots(PyObject* self) {
  for_slots(self, [](PyObject*& slot) {
    Py_CLEAR(slot);
    return 0;
  });
}

}  // namespace eagre::python
