// Tensors from values in the program.
#include <eagre/api/factory.h>

#include <cstring>
#include <memory>

#include <eagre/autograd/accumulate.h>
#include <eagre/base/error.h>
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

Tensor tensor_from(const void* data, DType dtype, Dims sizes, TensorOptions options) {
  check_data("tensor_from", data, checked_numel("tensor_from", sizes) != 0);
  auto copy = TensorBase::adopt(new_tensor(sizes, dtype, Device()));
  if (copy.numel() != 0) {
    std::memcpy(copy.data_ptr(), data, static_cast<size_t>(copy.numel()) * element_size(dtype));
  }
  TensorBase result = dispatch::on_device(
      dispatch::as_dtype(copy, options.chosen_dtype().value_or(dtype)), options.device());
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  return result;
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

DimVector row_major(Dims sizes) {
  checked_numel("from_blob", sizes);
  DimVector strides(sizes.size());
  contiguous_strides(sizes, strides.data());
  return strides;
}

}  // namespace

Tensor from_blob(void* data, Dims sizes, Dims strides, BlobDeleter deleter, TensorOptions options) {
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

Tensor from_blob(void* data, Dims sizes, BlobDeleter deleter, TensorOptions options) {
  return from_blob(data, sizes, row_major(sizes), std::move(deleter), options);
}

Tensor from_blob(void* data, Dims sizes, Dims strides, TensorOptions options) {
  return from_blob(data, sizes, strides, nullptr, options);
}

Tensor from_blob(void* data, Dims sizes, TensorOptions options) {
  return from_blob(data, sizes, row_major(sizes), nullptr, options);
}

}  // namespace eagre
