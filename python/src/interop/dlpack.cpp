// Tensors as DLPack capsules and back, sharing memory. Who may ask for what is decided in Python
// (python/eagre/_dlpack.py).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

#include "call/arguments.h"
#include "call/method.h"
#include "interop/dlpack_abi.h"
#include "interop/tables.h"
#include "interpreter/errors.h"
#include "interpreter/held.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// --- out ---

dlpack::ElementType element_type(DType dtype) {
  const auto bits = static_cast<uint8_t>(8 * element_size(dtype));
  if (dtype == kBool) return {dlpack::kBool, bits, 1};
  if (dtype == kBFloat16) return {dlpack::kBfloat, bits, 1};
  if (dtype == kFloat8_e4m3fn) return {dlpack::kFloat8E4M3FN, bits, 1};
  if (dtype == kFloat8_e5m2) return {dlpack::kFloat8E5M2, bits, 1};
  if (is_complex(dtype)) return {dlpack::kComplex, bits, 1};
  if (is_floating_point(dtype)) return {dlpack::kFloat, bits, 1};
  return {is_signed(dtype) ? dlpack::kInt : dlpack::kUInt, bits, 1};
}

// What the consumer gets, with all that must live as long.
template <class M>
struct Export {
  M managed;
  TensorBase tensor;
  DimVector shape, strides;
};

template <class M>
void delete_export(M* managed) {
  delete static_cast<Export<M>*>(managed->context);
}

// Of a capsule that nobody consumed.
template <class M>
void end_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, M::kName) == 0) return;
  auto* managed = static_cast<M*>(PyCapsule_GetPointer(capsule, M::kName));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

template <class M>
PyObject* capsule_of(const TensorBase& tensor, bool copied) {
  auto made = std::make_unique<Export<M>>();
  const TensorImpl& impl = tensor.get();
  made->tensor = tensor;
  made->shape = impl.sizes();
  made->strides = impl.strides();
  made->managed.array = {tensor.data_ptr(),
                         {dlpack::kCpu, 0},
                         impl.key.rank,
                         element_type(tensor.dtype()),
                         made->shape.data(),
                         made->strides.data(),
                         0};
  made->managed.context = made.get();
  made->managed.deleter = delete_export<M>;
  if constexpr (std::is_same_v<M, dlpack::ManagedVersioned>) {
    made->managed.major = dlpack::kMajorVersion;
    made->managed.minor = dlpack::kMinorVersion;
    made->managed.flags = copied ? dlpack::kIsCopied : 0;
  }
  PyObject* capsule = checked(PyCapsule_New(&made->managed, M::kName, end_capsule<M>));
  // From now on others see the memory: it is never reused for another tensor.
  impl.storage->set(Storage::kExported);
  (void)made.release();
  return capsule;
}

constexpr Parameter kExportParameters[] = {{"tensor"}, {"versioned"}, {"copied"}};
constexpr Signature kExport{"__dlpack__", kExportParameters, 3};

PyObject* export_tensor(const Arguments& a) {
  const TensorBase& tensor = a.tensor(0);
  return a.boolean(1) ? capsule_of<dlpack::ManagedVersioned>(tensor, a.boolean(2))
                      : capsule_of<dlpack::Managed>(tensor, a.boolean(2));
}

// --- in ---

[[noreturn]] EAGRE_COLD void refuse(ErrorKind kind, std::string expected, std::string got) {
  raise(kind, ArgumentProblem{"from_dlpack", "ext_tensor", std::move(expected), std::move(got)});
}

std::optional<DType> dtype_of(dlpack::ElementType type) {
  if (type.lanes != 1) return {};
  for (size_t i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    const dlpack::ElementType known = element_type(dtype);
    if (known.code == type.code && known.bits == type.bits) return dtype;
  }
  return {};
}

DimVector strides_of(const dlpack::Array& array, Dims sizes) {
  DimVector strides(sizes.size());
  int64_t step = 1;  // at most the number of elements, which was checked
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = array.strides == nullptr ? step : array.strides[i];
    step *= std::max<int64_t>(sizes[i], 1);
    if (strides[i] < 0) {
      refuse(ErrorKind::kInvalidArgument, "an array without negative strides",
             concat("a stride of ", strides[i], " in dimension ", i));
    }
  }
  return strides;
}

// Runs under the GIL, when the last tensor on the memory is gone.
template <class M>
void end_owner(PyObject* owner) {
  auto* managed = static_cast<M*>(PyCapsule_GetPointer(owner, nullptr));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

TensorBase tensor_on(const dlpack::Array& array, PyObject* owner) {
  if (array.device.type != dlpack::kCpu) {
    PyErr_Format(PyExc_BufferError,
                 "from_dlpack(): the array is on a device of DLPack's type %d; only the CPU (1) "
                 "shares memory with tensors",
                 static_cast<int>(array.device.type));
    throw PythonError::take();
  }
  const std::optional<DType> dtype = dtype_of(array.dtype);
  if (!dtype) {
    refuse(ErrorKind::kType, "an array of booleans, integers, floating-point or complex numbers",
           concat("elements of DLPack's code ", int{array.dtype.code}, " with ",
                  int{array.dtype.bits}, " bits and ", array.dtype.lanes, " lanes"));
  }
  if (array.rank < 0 || array.rank > kMaxDims) {
    refuse(ErrorKind::kInvalidArgument, concat("an array of 0 to ", kMaxDims, " dimensions"),
           std::to_string(array.rank));
  }
  if (array.rank > 0 && array.shape == nullptr) {
    refuse(ErrorKind::kInvalidArgument, "an array that says its shape", "one that does not");
  }
  const DimVector sizes(Dims(array.shape, static_cast<size_t>(array.rank)));
  const int64_t numel = checked_numel("from_dlpack", sizes);
  const DimVector strides = strides_of(array, sizes);
  // The bytes from the first element to the end of the last.
  const size_t bytes = checked_extent("from_dlpack", sizes, strides, element_size(*dtype));
  if (array.data == nullptr && numel != 0) {
    refuse(ErrorKind::kInvalidArgument, "an array with memory for its elements",
           concat("none for shape ", Dims(sizes)));
  }
  const uint64_t start = reinterpret_cast<uintptr_t>(array.data);
  if (array.byte_offset > UINT64_MAX - start || bytes > UINT64_MAX - start - array.byte_offset) {
    refuse(ErrorKind::kInvalidArgument, "an array that ends within memory",
           concat("a byte offset of ", array.byte_offset));
  }
  auto* data = static_cast<char*>(array.data) + array.byte_offset;
  if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(element_size(*dtype)) != 0) {
    refuse(ErrorKind::kInvalidArgument, "an array whose elements are aligned in memory",
           "one that is not");
  }
  auto storage = IntrusivePtr<Storage>::adopt(new_foreign_storage(
      data, bytes, Device(),
      {[](void* entry) { release_later(static_cast<HeldEntry*>(entry)); }, Held(owner).give()}));
  storage->set(Storage::kExported);
  return TensorBase::adopt(new_tensor_on(std::move(storage), sizes, strides, *dtype));
}

template <class M>
PyObject* consume(PyObject* capsule) {
  auto* managed = static_cast<M*>(PyCapsule_GetPointer(capsule, M::kName));
  const Ref owner(checked(PyCapsule_New(managed, nullptr, nullptr)));
  // Only once nothing can fail any more is the array ours to delete.
  TensorBase tensor = tensor_on(managed->array, owner.get());
  if (PyCapsule_SetName(capsule, M::kUsedName) != 0) throw PythonError::take();
  PyCapsule_SetDestructor(owner.get(), end_owner<M>);
  return wrap(std::move(tensor));
}

PyObject* import_capsule(PyObject*, PyObject* capsule) {
  return guarded([&]() -> PyObject* {
    if (PyCapsule_IsValid(capsule, dlpack::ManagedVersioned::kName) != 0) {
      auto* managed = static_cast<dlpack::ManagedVersioned*>(
          PyCapsule_GetPointer(capsule, dlpack::ManagedVersioned::kName));
      if (managed->major > dlpack::kMajorVersion) {
        PyErr_Format(PyExc_BufferError,
                     "from_dlpack(): the array is of version %u.%u of DLPack, newer than %u",
                     managed->major, managed->minor, dlpack::kMajorVersion);
        throw PythonError::take();
      }
      return consume<dlpack::ManagedVersioned>(capsule);
    }
    if (PyCapsule_IsValid(capsule, dlpack::Managed::kName) == 0) {
      refuse(ErrorKind::kType, "an unused DLPack capsule, or an object with __dlpack__",
             PyCapsule_CheckExact(capsule) ? "a capsule that was consumed, or of another kind"
                                           : describe_type(capsule));
    }
    return consume<dlpack::Managed>(capsule);
  });
}

PyObject* is_read_only(PyObject*, PyObject* capsule) {
  constexpr const char* kName = dlpack::ManagedVersioned::kName;
  if (PyCapsule_IsValid(capsule, kName) == 0) Py_RETURN_FALSE;
  const auto* managed =
      static_cast<dlpack::ManagedVersioned*>(PyCapsule_GetPointer(capsule, kName));
  return PyBool_FromLong((managed->flags & dlpack::kReadOnly) != 0);
}

}  // namespace

const PyMethodDef kDLPackFunctions[] = {
    with_keywords<kExport, export_tensor, false>("_to_dlpack", nullptr),
    {"_from_dlpack", import_capsule, METH_O, nullptr},
    {"_dlpack_is_read_only", is_read_only, METH_O, nullptr},
    {}};

}  // namespace eagre::python
