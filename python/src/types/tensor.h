// The Python object of a tensor: a wrapper around the handle.
//
// A tensor has at most one wrapper at a time, to which the impl points back, so `x.grad is x.grad`.
// A plain wrapper that nobody refers to any more is dropped and made again when needed: nobody can
// tell. One with state of its own is kept; see Note [Kept wrappers] in lifetime/wrapper.h.
#pragma once

#include <atomic>

#include <eagre/core/tensor_base.h>

#include "interpreter/held.h"

namespace eagre::python {

struct PyTensor {
  PyObject_HEAD TensorBase tensor;
  PyObject* attributes;  // __dict__, made when needed
  PyObject* weak_references;
  std::atomic<HeldEntry*> kept;  // the impl's reference to this object, if it owns one
  bool owns_alone;               // for the garbage collector, see traverse_tensor()
  bool shows_graph;              // the same, see lifetime/graph_traverse.h
  bool is_listed;                // in lifetime/hidden_tensors.h
};

extern PyTypeObject tensor_type;  // tensor/type.cpp

inline PyTensor& as_tensor(PyObject* object) { return *reinterpret_cast<PyTensor*>(object); }

inline bool is_exact_tensor(PyObject* object) { return Py_IS_TYPE(object, &tensor_type); }
// Of classes, only those made by a `class` statement can derive from ours.
inline bool is_tensor(PyObject* object) {
  return is_exact_tensor(object) || (PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_HEAPTYPE) != 0 &&
                                     PyType_IsSubtype(Py_TYPE(object), &tensor_type) != 0);
}
// Of an object that is one.
inline const TensorBase& tensor_of(PyObject* object) { return as_tensor(object).tensor; }

// A new reference to the wrapper; None for an undefined tensor.
PyObject* wrap(TensorBase tensor);

// A wrapper of a derived class, fresh from its tp_alloc, gets its tensor, which has no wrapper yet.
void bind_fresh_wrapper(PyTensor& wrapper, TensorBase tensor);
// Ends a wrapper of Tensor itself that has no state of its own.
void end_plain_wrapper(PyTensor& wrapper);

}  // namespace eagre::python
