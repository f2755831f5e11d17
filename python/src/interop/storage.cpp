// What the storage objects of Python (python/eagre/storage.py) are made of.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <eagre/api/tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/devices.h>

#include "call/arguments.h"
#include "call/method.h"
#include "interop/tables.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

constexpr Parameter kTensorParameter[] = {{"tensor"}};
constexpr Signature kStorageBytes{"untyped_storage", kTensorParameter, 1};

// All bytes behind a tensor, as a uint8 tensor on the same storage.
PyObject* storage_bytes(const Arguments& a) {
  const TensorImpl& impl = a.tensor(0).get();
  if (impl.key.kind == TensorKind::kBatched) dispatch::raise_batched("untyped_storage");
  const int64_t sizes[] = {static_cast<int64_t>(impl.storage->bytes)};
  const int64_t strides[] = {1};
  return wrap(TensorBase::adopt(
      new_tensor_on(IntrusivePtr<Storage>::share(impl.storage), sizes, strides, kUInt8)));
}

constexpr Parameter kViewParameters[] = {{"bytes"}, {"dtype"}, {"offset"}, {"size"}, {"stride"}};
constexpr Signature kOnStorage{"set_", kViewParameters, 5};

// A tensor of any dtype and geometry on the storage of such bytes; as_strided checks that it fits.
PyObject* tensor_on_storage(const Arguments& a) {
  const TensorImpl& bytes = a.tensor(0).get();
  const DType dtype = a.dtype(1);
  const auto room = static_cast<int64_t>(bytes.storage->bytes / element_size(dtype));
  const int64_t offset = a.integer(2);
  const DimVector sizes = a.ints(3), strides = a.ints(4);
  EAGRE_CHECK(sizes.size() == strides.size(), kInvalidArgument, "set_(): ", sizes.size(),
              " sizes, but ", strides.size(), " strides");
  int64_t last = offset;
  bool empty = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    EAGRE_CHECK(sizes[i] >= 0 && strides[i] >= 0, kInvalidArgument,
                "set_(): sizes and strides must not be negative, but got ", Dims(sizes), " and ",
                Dims(strides));
    empty |= sizes[i] == 0;
    int64_t span = 0;
    EAGRE_CHECK(!__builtin_mul_overflow(std::max<int64_t>(sizes[i] - 1, 0), strides[i], &span) &&
                    !__builtin_add_overflow(last, span, &last),
                kInvalidArgument, "set_(): sizes ", Dims(sizes), " and strides ", Dims(strides),
                " are too large");
  }
  EAGRE_CHECK(offset >= 0 && (empty || last < room), kInvalidArgument, "set_(): sizes ",
              Dims(sizes), " with strides ", Dims(strides), " from element ", offset,
              " on do not fit in a storage of ", room, " elements of ", dtype);
  return wrap(TensorBase::adopt(new_view(bytes, sizes, strides, offset, dtype)));
}

constexpr Parameter kSetParameters[] = {{"self"}, {"source"}};
constexpr Signature kSet{"set_", kSetParameters, 2};

// Tensor.set_() with a tensor.
PyObject* set(const Arguments& a) {
  Tensor(a.tensor(0)).set_(a.tensor(1), CallSite::language_frame());
  return Py_NewRef(a[0]);
}

}  // namespace

const PyMethodDef kStorageFunctions[] = {
    with_keywords<kStorageBytes, storage_bytes, false>("_storage_bytes", nullptr),
    with_keywords<kSet, set, false, Overridable::kNo>("_set_to", nullptr),
    with_keywords<kOnStorage, tensor_on_storage, false>("_tensor_on_storage", nullptr),
    {}};

}  // namespace eagre::python
