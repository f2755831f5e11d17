// Tensors from values in the program.
#include <eagre/api/factory.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/small_vector.h>
#include <eagre/base/span.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/transfer.h>

namespace eagre {
namespace {

void check_data(const char* op, const void* data, bool has_elements) {
  if (data != nullptr || !has_elements) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "data", "a pointer to memory", "a null pointer"});
}

}  // namespace

namespace {

TensorBase copy_of(const char* op, const void* data, DType dtype, Dims sizes) {
  check_data(op, data, checked_numel(op, sizes) != 0);
  auto copy = TensorBase::adopt(new_tensor(sizes, dtype, Device()));
  if (copy.numel() != 0) {
    std::memcpy(copy.data_ptr(), data, static_cast<size_t>(copy.numel()) * element_size(dtype));
  }
  return copy;
}

// As the options say; `natural` is the dtype if they do not.
Tensor as_chosen(const TensorBase& values, DType natural, const TensorOptions& options) {
  TensorBase result = dispatch::on_device(
      dispatch::as_dtype(values, options.chosen_dtype().value_or(natural)), options.device());
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  return result;
}

[[noreturn]] EAGRE_COLD void raise_not_held(DType dtype, std::string number) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"tensor", "data", concat("numbers that ", dtype, " can hold"),
                        std::move(number)});
}

// A number that is too large for a floating-point type becomes infinite, as in PyTorch.
bool holds_all(DType dtype, DTypeCategory numbers) {
  if (dtype == kBool || is_complex(dtype)) return true;
  return is_differentiable(dtype) && numbers != DTypeCategory::kComplex;
}

void check_held(DType dtype, const Scalar& number) {
  const bool held =
      is_differentiable(dtype) ? holds_all(dtype, number.category()) : number.fits(dtype);
  if (!held) raise_not_held(dtype, text_of(number));
}

void check_held(DType dtype, const TensorBase& values) {
  const DType stored = values.dtype();
  if (stored == dtype || holds_all(dtype, category(stored))) return;
  const char* element = static_cast<const char*>(values.data_ptr());
  for (int64_t i = 0; i < values.numel(); ++i, element += element_size(stored)) {
    const Scalar number = Scalar::load(stored, element);
    // One beyond the numbers of int64, which Scalar has not.
    if (stored == kUInt64 && number.wrapped<int64_t>() < 0) {
      raise_not_held(dtype, std::to_string(number.wrapped<uint64_t>()));
    }
    check_held(dtype, number);
  }
}

}  // namespace

Tensor tensor_from(const void* data, DType dtype, Dims sizes, TensorOptions options) {
  return as_chosen(copy_of("tensor_from", data, dtype, sizes), dtype, options);
}

Tensor tensor_of(const void* data, DType stored, DType natural, Dims sizes,
                 const TensorOptions& options) {
  const TensorBase values = copy_of("tensor", data, stored, sizes);
  check_held(options.chosen_dtype().value_or(natural), values);
  return as_chosen(values, natural, options);
}

Tensor tensor_of(Span<const Scalar> numbers, DType natural, Dims sizes,
                 const TensorOptions& options) {
  const DType dtype = options.chosen_dtype().value_or(natural);
  EAGRE_INTERNAL_CHECK(checked_numel("tensor", sizes) == static_cast<int64_t>(numbers.size()));
  const auto values = TensorBase::adopt(new_tensor(sizes, dtype, Device()));
  char* element = static_cast<char*>(values.data_ptr());
  for (const Scalar& number : numbers) {
    check_held(dtype, number);
    number.store(dtype, element);
    element += element_size(dtype);
  }
  return as_chosen(values, dtype, options);
}

Tensor tensor(const std::vector<bool>& values, TensorOptions options) {
  const SmallVector<bool, 64> flat = [&] {
    SmallVector<bool, 64> result;
    for (const bool value : values) result.push_back(value);
    return result;
  }();
  return tensor(Span<const bool>(flat), options);
}

namespace {

// The memory of a tensor, with what is to be done with it at the end.
struct Blob {
  void* data;
  BlobDeleter deleter;

  static void release(void* blob) {
    const std::unique_ptr<Blob> end(static_cast<Blob*>(blob));
    end->deleter(end->data);
  }
};

DimVector row_major(Dims sizes, CallSite at) {
  const SiteScope scope(at);
  checked_numel("from_blob", sizes);
  DimVector strides(sizes.size());
  contiguous_strides(sizes, strides.data());
  return strides;
}

}  // namespace

Tensor from_blob(void* data, Dims sizes, Dims strides, BlobDeleter deleter, TensorOptions options,
                 CallSite at) {
  const SiteScope scope(at);
  const char* const op = "from_blob";
  const DType dtype = options.dtype();
  const Device device = options.chosen_device().value_or(Device());
  checked_numel(op, sizes);
  dispatch::check_device(device);
  const size_t bytes = checked_extent(op, sizes, strides, element_size(dtype));
  check_data(op, data, bytes != 0);
  std::unique_ptr<Blob> blob;
  if (deleter) blob = std::make_unique<Blob>(Blob{data, std::move(deleter)});
  auto storage = IntrusivePtr<Storage>::adopt(new_foreign_storage(data, bytes, device, {}));
  storage->set(Storage::kExported);
  TensorBase result = TensorBase::adopt(new_tensor_on(std::move(storage), sizes, strides, dtype));
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  // Last: nothing can fail any more.
  if (blob) *result.get().storage->foreign = {&Blob::release, blob.release()};
  return result;
}

Tensor from_blob(void* data, Dims sizes, BlobDeleter deleter, TensorOptions options, CallSite at) {
  const DimVector strides = row_major(sizes, at);
  return from_blob(data, sizes, strides, std::move(deleter), options, at);
}

Tensor from_blob(void* data, Dims sizes, Dims strides, TensorOptions options, CallSite at) {
  return from_blob(data, sizes, strides, nullptr, options, at);
}

Tensor from_blob(void* data, Dims sizes, TensorOptions options, CallSite at) {
  return from_blob(data, sizes, BlobDeleter(), options, at);
}

}  // namespace eagre
