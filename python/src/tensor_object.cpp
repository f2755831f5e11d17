// Wrappers begin and end here; the type's methods are listed in tensor_type.cpp.
#include "tensor_object.h"

#include <new>

#include "errors.h"
#include "tensor_type.h"

namespace eagre::python {
namespace {

// Wrappers that ended, linked through the place of their handle. Guarded by the GIL.
struct FreeWrapper {
  PyObject_HEAD FreeWrapper* next;
};
static_assert(sizeof(FreeWrapper) == sizeof(PyTensor));

#ifdef EAGRE_NO_CACHES
constexpr size_t kMaxFree = 0;
#else
constexpr size_t kMaxFree = 1024;
#endif
FreeWrapper* free_wrappers = nullptr;
size_t free_count = 0;

}  // namespace

PyObject* wrap(TensorBase tensor) {
  TensorImpl* impl = tensor.impl();
  if (impl == nullptr) [[unlikely]]
    Py_RETURN_NONE;
  void* existing = impl->language_object.load(std::memory_order_relaxed);
  if (existing != nullptr) [[unlikely]]
    return Py_NewRef(static_cast<PyObject*>(existing));
  void* memory = free_wrappers;
  if (memory != nullptr) [[likely]] {
    free_wrappers = free_wrappers->next;
    --free_count;
  } else {
    memory = PyObject_Malloc(sizeof(PyTensor));
    if (memory == nullptr) return PyErr_NoMemory();
  }
  PyObject* object = PyObject_Init(static_cast<PyObject*>(memory), &tensor_type);
  new (&reinterpret_cast<PyTensor*>(object)->tensor) TensorBase(std::move(tensor));
  impl->language_object.store(object, std::memory_order_relaxed);
  return object;
}

void dealloc_tensor(PyObject* self) {
  TensorBase& tensor = reinterpret_cast<PyTensor*>(self)->tensor;
  tensor.impl()->language_object.store(nullptr, std::memory_order_relaxed);
  tensor.~TensorBase();
  if (free_count < kMaxFree) [[likely]] {
    auto* wrapper = reinterpret_cast<FreeWrapper*>(self);
    wrapper->next = free_wrappers;
    free_wrappers = wrapper;
    ++free_count;
  } else {
    PyObject_Free(self);
  }
  drop_released();
}

}  // namespace eagre::python
