// Steps that the generated entries of structured operators are made of.
#pragma once

#include <optional>

#include <eagre/core/options.h>
#include <eagre/core/tensor_view.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/registry.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::dispatch {

// Rule `same`: all arguments have one dtype.
DType same_dtype(const char* op, const TensorImpl& first, const char* first_name,
                 const TensorImpl& second, const char* second_name);

// Rule `accumulate`: sums of bool and integers are int64.
inline DType accumulate_dtype(DType dtype) { return is_floating_point(dtype) ? dtype : kInt64; }

// Rule `options(value)`: the dtype a number has on its own.
inline DType dtype_of(const Scalar& number) {
  switch (number.category()) {
    case DTypeCategory::kBool: return kBool;
    case DTypeCategory::kInteger: return kInt64;
    case DTypeCategory::kFloating: break;
  }
  return default_dtype();
}

// A tensor as the kernel wants it: on its device, of its dtype.
inline TensorBase prepare(const TensorBase& tensor, Device device, DType compute) {
  const TensorImpl& impl = tensor.get();
  if (impl.key.device == device && impl.key.dtype == compute) [[likely]]
    return tensor;
  return as_dtype(on_device(tensor, device), compute);
}

// What the kernel computes in: devices have kernels for every dtype, the CPU for few.
inline DType kernel_dtype(Device device, DType dtype) {
  return device.is_cpu() ? cpu_compute_dtype(dtype) : dtype;
}

inline TensorBase allocate(Dims sizes, DType dtype, Device device) {
  return TensorBase::adopt(new_tensor(sizes, dtype, device));
}

}  // namespace eagre::dispatch
