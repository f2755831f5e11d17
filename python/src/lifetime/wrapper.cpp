// Keeping, collecting and ending wrappers that have state of their own.
#include "lifetime/wrapper.h"

#include <atomic>
#include <cstdint>
#include <new>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/base/export.h>
#include <eagre/core/tensor_impl.h>

#include "interpreter/compat.h"
#include "interpreter/held.h"
#include "lifetime/attributes.h"
#include "lifetime/graph_traverse.h"
#include "lifetime/hidden_tensors.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// A last handle went: the wrapper's count is its own again, and the impl's reference to it is
// dropped by whoever holds the GIL next.
void give_back(TensorImpl& tensor) noexcept {
  auto* wrapper = static_cast<PyTensor*>(tensor.language_object.load(std::memory_order_acquire));
  HeldEntry* entry = wrapper->kept.exchange(nullptr, std::memory_order_acq_rel);
  if (entry != nullptr) release_later(entry);
}

// Of a wrapper without references: true if it lives on, kept by its impl.
bool keep(PyObject* self) {
  PyTensor& wrapper = as_tensor(self);
  TensorImpl& impl = wrapper.tensor.get();
  uint32_t holders = impl.refs.load(std::memory_order_acquire);
  if (holders == 1) return false;
  HeldEntry* entry = nullptr;
  try {
    autograd::autograd_meta(impl);  // without it the end of the impl asks for no wrapper
    entry = new HeldEntry{self, nullptr};
  } catch (const std::bad_alloc&) {
    return false;
  }
  // Ready before the count goes: from then on another thread may give it back.
  Py_SET_REFCNT(self, 1);
  wrapper.kept.store(entry, std::memory_order_release);
  while (holders > 1) {
    if (impl.refs.compare_exchange_weak(holders, holders - 1, std::memory_order_acq_rel)) {
      return true;
    }
  }
  wrapper.kept.store(nullptr, std::memory_order_relaxed);
  delete entry;
  Py_SET_REFCNT(self, 0);
  return false;
}

void drop_handle(PyTensor& wrapper) {
  unlist(wrapper);
  wrapper.tensor.impl()->language_object.store(nullptr, std::memory_order_relaxed);
  wrapper.tensor.~TensorBase();
}

bool owns_alone(const PyTensor& wrapper) {
  // A kept wrapper is reached through its impl alone, whoever holds that.
  return wrapper.kept.load(std::memory_order_acquire) != nullptr ||
         wrapper.tensor.get().refs.load(std::memory_order_acquire) == 1;
}

}  // namespace

void give_state(PyObject* self) {
  if (!compat::is_tracked(self)) PyObject_GC_Track(self);
  list_for_collector(self);
}

// Attributes of a tensor that C++ holds too must survive though only garbage refers to its wrapper.
// So they are not shown then, except by a graph that is all that holds it besides: the collector
// takes them for held from elsewhere. It looks at every object twice, and must see the same both
// times while other threads drop handles; the first time it hands in the object itself.
int traverse_tensor(PyObject* self, visitproc visit, void* arg) {
  PyTensor& wrapper = as_tensor(self);
  if (Py_TYPE(self) != &tensor_type) Py_VISIT(Py_TYPE(self));
  if (!wrapper.tensor.defined()) return 0;  // it is being made
  // A leaf leads to its hooks and gradient, which is near enough for the others.
  if (!is_full_collection() && wrapper.tensor.get().grad_node != nullptr) {
    if (arg == self) wrapper.owns_alone = owns_alone(wrapper);
    return wrapper.owns_alone ? traverse_attributes(self, visit, arg) : 0;
  }
  if (arg == self) {
    const OwnedGraph graph(wrapper);
    wrapper.owns_alone = owns_alone(wrapper) || graph.holds_its_start();
    if (!wrapper.owns_alone) return 0;
    const int result = traverse_attributes(self, visit, arg);
    return result != 0 ? result : graph.traverse(visit, arg);
  }
  if (!wrapper.owns_alone && !wrapper.shows_graph) return 0;
  const int result = traverse_attributes(self, visit, arg);
  return result != 0 || !wrapper.shows_graph
             ? result
             : traverse_whole_graph(wrapper.tensor.get(), visit, arg);
}

int clear_tensor(PyObject* self) {
  PyTensor& wrapper = as_tensor(self);
  // One that C++ held too when the collector looked is no garbage, though its wrapper was, and may
  // be kept by now.
  if (!wrapper.tensor.defined() || !wrapper.owns_alone || !owns_alone(wrapper)) return 0;
  Py_CLEAR(wrapper.attributes);
  clear_slots(self);
  clear_held_by(wrapper.tensor.get());
  return 0;
}

namespace {

EAGRE_COLD void end_tensor_with_state(PyObject* self) {
  if (keep(self)) return;
  PyTensor& wrapper = as_tensor(self);
  PyObject_GC_UnTrack(self);
  unlist(wrapper);  // put off for being too deep, it comes back as a tensor without state
  Py_TRASHCAN_BEGIN(self, dealloc_tensor) if (wrapper.weak_references != nullptr)
      PyObject_ClearWeakRefs(self);
  Py_CLEAR(wrapper.attributes);
  drop_handle(wrapper);
  PyObject_GC_Del(self);
  Py_TRASHCAN_END drop_released();
}

}  // namespace

void dealloc_tensor(PyObject* self) {
  PyTensor& wrapper = as_tensor(self);
  if (wrapper.attributes != nullptr || wrapper.weak_references != nullptr ||
      compat::is_tracked(self)) [[unlikely]] {
    return end_tensor_with_state(self);
  }
  end_plain_wrapper(wrapper);
}

// What CPython does for classes, after the question whether the tensor lives on.
void dealloc_derived(PyObject* self) {
  if (keep(self)) return;
  PyTensor& wrapper = as_tensor(self);
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_TRASHCAN_BEGIN(self, dealloc_derived) if (type->tp_finalize != nullptr) {
    PyObject_GC_Track(self);
    if (PyObject_CallFinalizerFromDealloc(self) < 0) goto lives_on;
    PyObject_GC_UnTrack(self);
  }
  if (wrapper.weak_references != nullptr) PyObject_ClearWeakRefs(self);
  clear_slots(self);
  Py_CLEAR(wrapper.attributes);
  if (wrapper.tensor.defined()) drop_handle(wrapper);
  type->tp_free(self);
  Py_DECREF(type);
lives_on:;
  Py_TRASHCAN_END drop_released();
}

void install_lifetime() { set_give_back_to_language(give_back); }

}  // namespace eagre::python
