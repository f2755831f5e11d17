// Inputs of kernels, made ready: on the kernel's device, of its dtype and layout.
#include <eagre/dispatch/structured.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/output.h>
#include <eagre/dispatch/ready_tensors.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::dispatch {

DType same_dtype(const char* op, std::initializer_list<NamedTensor> tensors) {
  const NamedTensor& first = *tensors.begin();
  for (const NamedTensor& other : tensors) {
    if (!other.tensor.defined() || other.tensor.dtype() == first.tensor.dtype()) continue;
    raise(ErrorKind::kType,
          ArgumentProblem{
              op, other.name,
              concat("of the same dtype as '", first.name, "' (", first.tensor.dtype(), ")"),
              concat(other.tensor.dtype()), "convert one of them with .to(dtype)"});
  }
  return first.tensor.dtype();
}

TensorBase prepare_slowly(const TensorBase& tensor, Device device, std::optional<DType> dtype,
                          bool contiguous) {
  TensorBase ready = on_device(tensor, device);
  if (dtype) ready = as_dtype(std::move(ready), *dtype);
  return contiguous ? as_contiguous(ready) : ready;
}

ReadyTensors prepare(TensorList tensors, Device device, std::optional<DType> dtype,
                     bool contiguous) {
  bool ready = true;
  for (const TensorBase& tensor : tensors) {
    if (!tensor.defined()) continue;
    const TensorImpl& impl = tensor.get();
    ready &= impl.key.device == device && (!dtype || impl.key.dtype == *dtype) &&
             (!contiguous || impl.is_contiguous());
  }
  if (ready) [[likely]]
    return ReadyTensors(tensors);
  TensorVector made;
  made.reserve(tensors.size());
  for (const TensorBase& tensor : tensors) {
    made.push_back(prepare(tensor, device, dtype, contiguous));
  }
  return ReadyTensors(std::move(made));
}

MemoryFormat common_format(int64_t spatial, std::initializer_list<const TensorBase*> tensors) {
  for (const TensorBase* tensor : tensors) {
    if (!tensor->defined()) continue;
    const TensorImpl& impl = tensor->get();
    if (impl.key.rank != spatial + 2) continue;
    if (suggests_channels_last(impl.sizes(), impl.strides())) return MemoryFormat::kChannelsLast;
  }
  return MemoryFormat::kContiguous;
}

// Other tensors that an operator takes beside images are row-major.
static bool has_channels(Dims sizes) { return sizes.size() == 4 || sizes.size() == 5; }

TensorBase allocate(Dims sizes, DType dtype, Device device, MemoryFormat format) {
  if (format != MemoryFormat::kChannelsLast || !has_channels(sizes))
    return allocate(sizes, dtype, device);
  return TensorBase::adopt(
      new_tensor_strided(sizes, strides_of("allocate", sizes, format), dtype, device));
}

TensorBase prepare_channels_last(const TensorBase& tensor, Device device,
                                 std::optional<DType> dtype) {
  if (!has_channels(tensor.sizes())) return prepare_slowly(tensor, device, dtype, true);
  TensorBase ready = on_device(tensor, device);
  if (dtype) ready = as_dtype(std::move(ready), *dtype);
  const TensorImpl& impl = ready.get();
  if (is_channels_last(impl.sizes(), impl.strides())) return ready;
  TensorBase copy = allocate(impl.sizes(), impl.key.dtype, device, MemoryFormat::kChannelsLast);
  copy_into(copy.get(), ready);
  return copy;
}

TensorVector on_device(TensorList tensors, Device device) {
  TensorVector moved;
  moved.reserve(tensors.size());
  for (const TensorBase& tensor : tensors) {
    moved.push_back(tensor.defined() ? on_device(tensor, device) : tensor);
  }
  return moved;
}

ReadyTensor copy_if_overlapping(ReadyTensor tensor, const TensorBase& target) {
  if (!shared_with(target, tensor)) return tensor;
  return ReadyTensor(copy_of(tensor));
}

ReadyTensors copy_if_overlapping(ReadyTensors tensors, const TensorBase& target) {
  if (!shared_with(target, tensors)) return tensors;
  TensorVector copies;
  const TensorList list = tensors;
  copies.reserve(list.size());
  for (const TensorBase& tensor : list) {
    copies.push_back(copy_if_overlapping(ReadyTensor(tensor), target));
  }
  return ReadyTensors(std::move(copies));
}

}  // namespace eagre::dispatch
