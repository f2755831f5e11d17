// Wrappers with state of their own: how they are kept, seen by the garbage collector, and ended.
//
// Note [Kept wrappers]
// The wrapper holds the impl, which only borrows the wrapper. When the last Python reference to a
// wrapper goes that is of a derived class, or has attributes, weak references or hooks, while C++
// still holds the impl (a graph, a .grad, a view of it), this is turned round: the wrapper gives
// its count away and the impl owns a Python reference. wrap() turns it back. If C++ drops the last
// handle meanwhile, the wrapper gets its count back, and its reference goes to the list of
// interpreter/held.h; the tensor ends where that list is emptied, with the GIL held.
//
// What remains of CPython's own: weak references to a kept tensor can be followed without wrap(),
// so for an instant, while another thread drops the last handle, the count is in neither hand. And
// the collector clears weak references to a tensor that, besides C++, only garbage refers to.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// From now on the collector sees this wrapper, and it is kept. For what makes cycles possible.
void give_state(PyObject* self);

// For the type and, by way of its metaclass, for all that derive from it.
int traverse_tensor(PyObject* self, visitproc visit, void* arg);
int clear_tensor(PyObject* self);
void dealloc_tensor(PyObject* self);   // of the type itself
void dealloc_derived(PyObject* self);  // of derived ones

// Before the first wrapper is made.
void install_lifetime();

}  // namespace eagre::python
