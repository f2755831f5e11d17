// Tensors from values in the program.
#include <eagre/api/factory.h>

#include <cstring>

#include <eagre/autograd/accumulate.h>
#include <eagre/base/error.h>
#include <eagre/dispatch/transfer.h>

namespace eagre {

Tensor tensor_from(const void* data, DType dtype, Dims sizes, TensorOptions options) {
  auto copy = TensorBase::adopt(new_tensor(sizes, dtype, Device()));
  if (copy.numel() != 0) {
    std::memcpy(copy.data_ptr(), data, static_cast<size_t>(copy.numel()) * element_size(dtype));
  }
  TensorBase result = dispatch::on_device(
      dispatch::as_dtype(copy, options.chosen_dtype().value_or(dtype)), options.device());
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  return result;
}

Tensor from_blob(void* data, Dims sizes, DType dtype, ForeignOwner owner) {
  const auto bytes = static_cast<size_t>(checked_numel("from_blob", sizes)) * element_size(dtype);
  if (data == nullptr && bytes != 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"from_blob", "data", "a pointer to memory", "a null pointer"});
  }
  DimVector strides(sizes.size());
  contiguous_strides(sizes, strides.data());
  auto storage = IntrusivePtr<Storage>::adopt(new_foreign_storage(data, bytes, Device(), owner));
  storage->set(Storage::kExported);
  return TensorBase::adopt(new_tensor_on(std::move(storage), sizes, strides, dtype));
}

}  // namespace eagre
