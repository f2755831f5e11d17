// Moving data between devices, dtypes and layouts.
#include <eagre/dispatch/transfer.h>

#include <cstdint>
#include <cstring>

#include <eagre/base/error.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/ops/cast.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/kernels/cpu/cast.h>
#include <eagre/kernels/cpu/pointwise_walk.h>

namespace eagre::dispatch {
namespace {

size_t byte_count(const TensorImpl& impl) {
  return static_cast<size_t>(impl.numel) * element_size(impl.key.dtype);
}

// A dense tensor keeps its strides on the way: its bytes are one stretch.
TensorBase copy_dense(const TensorImpl& from, Device device) {
  auto to =
      TensorBase::adopt(new_tensor_strided(from.sizes(), from.strides(), from.key.dtype, device));
  copy_bytes(to.data_ptr(), device, from.data(), from.key.device, byte_count(from));
  return to;
}

// The stretch of device memory that a tensor with holes or repeats touches, as a tensor on the
// host.
TensorBase copy_stretch_to_host(const TensorImpl& from) {
  int64_t last = 0;
  for (size_t i = 0; i < from.sizes().size(); ++i)
    last += (from.sizes()[i] - 1) * from.strides()[i];
  const int64_t extent[] = {last + 1};
  auto stretch = TensorBase::adopt(new_tensor(extent, from.key.dtype, Device()));
  copy_bytes(stretch.data_ptr(), Device(), from.data(), from.key.device,
             static_cast<size_t>(last + 1) * element_size(from.key.dtype));
  return TensorBase::adopt(new_view(stretch.get(), from.sizes(), from.strides(), 0));
}

void copy_elements(char* const* data, const int64_t* strides, int64_t n, const void* dtype) {
  const DType type = *static_cast<const DType*>(dtype);
  kernels::cpu::cast({data[0], strides[0], type}, {data[1], strides[1], type}, n);
}

}  // namespace

TensorBase on_device(const TensorBase& tensor, Device device) {
  if (tensor.defined() && tensor.get().key.kind != TensorKind::kDense) [[unlikely]]
    raise_batched("item");
  if (!tensor.defined()) return tensor;  // an optional argument on its way to a fallback
  const TensorImpl& from = tensor.get();
  if (from.key.device == device) return tensor;
  check_device(device);
  if (device.is_meta()) {
    return TensorBase::adopt(
        from.is_dense() ? new_tensor_strided(from.sizes(), from.strides(), from.key.dtype, device)
                        : new_tensor(from.sizes(), from.key.dtype, device));
  }
  EAGRE_CHECK(!from.key.device.is_meta(), kInvalidArgument,
              "a tensor on the device 'meta' has no data that could be copied to ", device,
              ". Hint: make one there, for instance with empty_like(tensor, device=…)");
  if (!from.key.device.is_cpu() && !device.is_cpu()) {
    return on_device(on_device(tensor, Device()), device);
  }
  if (from.is_dense()) return copy_dense(from, device);
  if (from.numel == 0) {
    return TensorBase::adopt(new_tensor(from.sizes(), from.key.dtype, device));
  }
  if (device.is_cpu()) return as_contiguous(copy_stretch_to_host(from));
  return copy_dense(as_contiguous(tensor).get(), device);
}

TensorBase as_dtype(const TensorBase& tensor, DType dtype) {
  return tensor.dtype() == dtype ? tensor : cast(tensor, dtype);
}

TensorBase as_contiguous(const TensorBase& tensor) {
  if (tensor.is_contiguous()) return tensor;
  auto copy = TensorBase::adopt(new_tensor(tensor.sizes(), tensor.dtype(), tensor.device()));
  copy_into(copy.get(), tensor);
  return copy;
}

void copy_into(const TensorImpl& target, const TensorBase& values) {
  const bool are_dense =
      target.key.kind == TensorKind::kDense && values.get().key.kind == TensorKind::kDense;
  if (!are_dense) [[unlikely]]
    raise_batched("copy_");
  if (target.numel == 0 || target.key.device.is_meta()) return;
  const Device device = target.key.device;
  if (!device.is_cpu()) {
    // Through a host copy of the target's stretch when it has holes, else at once.
    if (target.is_dense()) {
      auto staged = TensorBase::adopt(
          new_tensor_strided(target.sizes(), target.strides(), target.key.dtype, Device()));
      copy_into(staged.get(), values);
      return copy_bytes(target.data(), device, staged.data_ptr(), Device(), byte_count(target));
    }
    const TensorBase staged = copy_stretch_to_host(target);
    copy_into(staged.get(), values);
    return copy_bytes(target.data(), device, staged.get().storage->data, Device(),
                      staged.get().storage->bytes);
  }
  const TensorBase source = on_device(values, device);
  const DType dtype = target.key.dtype;
  const kernels::cpu::WalkOperand operands[] = {kernels::cpu::WalkOperand(target, dtype),
                                                kernels::cpu::WalkOperand(source.get(), dtype)};
  kernels::cpu::walk_pointwise(&copy_elements, {operands, 2}, &dtype);
}

}  // namespace eagre::dispatch
