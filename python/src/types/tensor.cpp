// Wrappers of tensors begin and end here. Those that ended are used again.
#include "types/tensor.h"

#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

#include <eagre/base/export.h>

#include "interpreter/held.h"

namespace eagre::python {
namespace {

// Wrappers that ended, linked through the place of their handle; all else is as in a new one, and
// the collector does not know them. Guarded by the GIL.
struct FreeWrapper {
  PyObject_HEAD FreeWrapper* next;
};
static_assert(offsetof(FreeWrapper, next) == offsetof(PyTensor, tensor));
FreeWrapper* free_wrappers = nullptr;
size_t free_count = 0;

#ifdef EAGRE_NO_CACHES
constexpr size_t kMaxFree = 0;
#else
constexpr size_t kMaxFree = 1024;
#endif

PyTensor* new_wrapper() {
  auto* wrapper = PyObject_GC_New(PyTensor, &tensor_type);
  if (wrapper == nullptr) return nullptr;
  wrapper->attributes = nullptr;
  wrapper->weak_references = nullptr;
  new (&wrapper->kept) std::atomic<HeldEntry*>(nullptr);
  wrapper->owns_alone = true;
  wrapper->shows_graph = wrapper->is_listed = false;
  return wrapper;
}

// Of a kept wrapper the count goes back to it, and the impl's reference to the caller. The caller
// holds the tensor, so it cannot end meanwhile.
EAGRE_COLD PyObject* take_back(PyTensor& wrapper) {
  wrapper.tensor.impl()->retain();
  delete wrapper.kept.exchange(nullptr, std::memory_order_acq_rel);
  return reinterpret_cast<PyObject*>(&wrapper);
}

void bind(PyTensor* wrapper, TensorBase tensor) {
  TensorImpl* impl = tensor.impl();
  new (&wrapper->tensor) TensorBase(std::move(tensor));
  impl->language_object.store(wrapper, std::memory_order_relaxed);
}

}  // namespace

PyObject* wrap(TensorBase tensor) {
  TensorImpl* impl = tensor.impl();
  if (impl == nullptr) [[unlikely]]
    Py_RETURN_NONE;
  auto* existing = static_cast<PyTensor*>(impl->language_object.load(std::memory_order_relaxed));
  if (existing != nullptr) [[unlikely]] {
    if (existing->kept.load(std::memory_order_acquire) != nullptr) return take_back(*existing);
    return Py_NewRef(reinterpret_cast<PyObject*>(existing));
  }
  auto* wrapper = reinterpret_cast<PyTensor*>(free_wrappers);
  if (wrapper != nullptr) [[likely]] {
    free_wrappers = free_wrappers->next;
    --free_count;
    PyObject_Init(reinterpret_cast<PyObject*>(wrapper), &tensor_type);
  } else {
    wrapper = new_wrapper();
    if (wrapper == nullptr) return nullptr;
  }
  bind(wrapper, std::move(tensor));
  return reinterpret_cast<PyObject*>(wrapper);
}

void bind_fresh_wrapper(PyTensor& wrapper, TensorBase tensor) {
  new (&wrapper.kept) std::atomic<HeldEntry*>(nullptr);
  wrapper.owns_alone = true;
  wrapper.shows_graph = wrapper.is_listed = false;
  bind(&wrapper, std::move(tensor));
}

void end_plain_wrapper(PyTensor& wrapper) {
  wrapper.tensor.impl()->language_object.store(nullptr, std::memory_order_relaxed);
  wrapper.tensor.~TensorBase();
  if (free_count < kMaxFree) [[likely]] {
    auto* free = reinterpret_cast<FreeWrapper*>(&wrapper);
    free->next = free_wrappers;
    free_wrappers = free;
    ++free_count;
  } else {
    PyObject_GC_Del(&wrapper);
  }
  drop_released();
}

}  // namespace eagre::python
