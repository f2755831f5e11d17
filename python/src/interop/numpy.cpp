// Tensors as buffers and NumPy arrays that share their memory.
#include "interop/numpy.h"

#include <cstddef>
#include <cstdint>
#include <new>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/devices.h>

#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

const char* format_of(DType dtype) {
  static_assert(sizeof(long) == sizeof(int64_t));
  constexpr const char* kFormats[kDTypeCount] = {"?", "B", "b",     "h", "i", "l",  "H", "I",
                                                 "L", "e", nullptr, "f", "d", "Zf", "Zd"};
  const char* format = kFormats[static_cast<size_t>(dtype)];
  EAGRE_CHECK(format != nullptr, kType, "numpy(): NumPy has no counterpart of ", dtype,
              ". Hint: convert the tensor with .float() first");
  return format;
}

void check_visible(const char* op, const TensorBase& tensor) {
  if (tensor.get().key.kind == TensorKind::kBatched) dispatch::raise_batched(op);
  EAGRE_CHECK(!tensor.requires_grad() || !GradMode::is_enabled(), kAutograd, "Can't call ", op,
              "() on Tensor that requires grad. Use tensor.detach().numpy() instead. It shares the "
              "values without their history");
  EAGRE_CHECK(tensor.device().is_cpu(), kType, "can't convert a tensor on ", tensor.device(),
              " by ", op, "(). Hint: tensor.cpu() copies it to host memory first");
  (void)tensor.data_ptr();  // which a tensor inside a vmap() does not have
}

void fill_view(PyObject* self, Py_buffer* view, int flags) {
  const TensorBase& tensor = tensor_of(self);
  check_visible("numpy", tensor);
  const TensorImpl& impl = tensor.get();
  const bool wants_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
  if (!impl.is_contiguous() && !wants_strides) {
    PyErr_SetString(PyExc_BufferError, "the tensor is not contiguous");
    throw PythonError::take();
  }
  const size_t rank = impl.key.rank;
  const auto size = static_cast<Py_ssize_t>(element_size(impl.key.dtype));
  auto* dims = new Py_ssize_t[2 * rank + 1];
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = impl.sizes()[i];
    // Without elements a stride may be anything.
    if (__builtin_mul_overflow(impl.strides()[i], size, &dims[rank + i])) dims[rank + i] = size;
  }
  // From now on others see the memory: it is never reused for another tensor.
  impl.storage->set(Storage::kExported);
  view->buf = impl.data();
  view->obj = Py_NewRef(self);
  view->len = impl.numel * size;
  view->itemsize = size;
  view->readonly = 0;
  view->ndim = static_cast<int>(rank);
  view->format =
      (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format_of(impl.key.dtype)) : nullptr;
  view->shape = (flags & PyBUF_ND) != 0 ? dims : nullptr;
  view->strides = wants_strides ? dims + rank : nullptr;
  view->suboffsets = nullptr;
  view->internal = dims;
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  return guarded_number([&] {
    fill_view(self, view, flags);
    return 0;
  });
}

void release_buffer(PyObject*, Py_buffer* view) {
  delete[] static_cast<Py_ssize_t*>(view->internal);
}

}  // namespace

PyBufferProcs tensor_buffer = {get_buffer, release_buffer};

PyObject* to_numpy(PyObject* self) {
  check_visible("numpy", tensor_of(self));
  const Ref numpy(checked(PyImport_ImportModule("numpy")));
  const Ref view(checked(PyMemoryView_FromObject(self)));
  return PyObject_CallMethod(numpy.get(), "asarray", "O", view.get());
}

}  // namespace eagre::python
