// Wrappers begin and end here; the type's methods are listed in tensor_type.cpp.
#include "tensor_object.h"

#include <new>

#include "compat.h"
#include "errors.h"
#include "tensor_class.h"
#include "tensor_lifetime.h"
#include "tensor_type.h"

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

PyObject* wrap_as(PyTypeObject* type, TensorBase tensor) {
  if (type == &tensor_type) return wrap(std::move(tensor));
  adopt_class(type);
  auto* wrapper = reinterpret_cast<PyTensor*>(type->tp_alloc(type, 0));
  if (wrapper == nullptr) return nullptr;
  new (&wrapper->kept) std::atomic<HeldEntry*>(nullptr);
  wrapper->owns_alone = true;
  wrapper->shows_graph = wrapper->is_listed = false;
  bind(wrapper, std::move(tensor));
  return reinterpret_cast<PyObject*>(wrapper);
}

void dealloc_tensor(PyObject* self) {
  PyTensor& wrapper = as_tensor(self);
  if (wrapper.attributes != nullptr || wrapper.weak_references != nullptr ||
      compat::is_tracked(self)) [[unlikely]] {
    return end_tensor_with_state(self);
  }
  wrapper.tensor.impl()->language_object.store(nullptr, std::memory_order_relaxed);
  wrapper.tensor.~TensorBase();
  if (free_count < kMaxFree) [[likely]] {
    auto* free = reinterpret_cast<FreeWrapper*>(self);
    free->next = free_wrappers;
    free_wrappers = free;
    ++free_count;
  } else {
    PyObject_GC_Del(self);
  }
  drop_released();
}

}  // namespace eagre::python
