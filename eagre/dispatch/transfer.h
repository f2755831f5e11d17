// Tensors from one device to another, and into a wanted dtype or layout.
#pragma once

#include <utility>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

// The same values on `device`; the tensor itself when it is there already, or is undefined.
TensorBase on_device(const TensorBase& tensor, Device device);

// The same values as `dtype`; the tensor itself when it has it already.
TensorBase as_dtype(const TensorBase& tensor, DType dtype);
inline TensorBase as_dtype(TensorBase&& tensor, DType dtype) {
  return tensor.dtype() == dtype ? std::move(tensor) : as_dtype(tensor, dtype);
}

// The same values in row-major memory; the tensor itself when it is so already.
TensorBase as_contiguous(const TensorBase& tensor);

// target = values, element by element. Same shape; any dtype, strides and device.
void copy_into(const TensorImpl& target, const TensorBase& values);

}  // namespace eagre::dispatch
