// Tensors under the names that users know, to be compared before an inner operator asks for the
// same under its own names.
#pragma once

#include <initializer_list>

#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/structured.h>

namespace eagre::ops {

using dispatch::NamedTensor;

// Raises unless one device can take all; those that are left out do not count.
inline void check_devices(const char* op, std::initializer_list<NamedTensor> tensors) {
  bool differ = false;
  const TensorBase& first = tensors.begin()->tensor;
  for (const NamedTensor& given : tensors) {
    differ = differ || (given.tensor.defined() && given.tensor.device() != first.device());
  }
  if (!differ) [[likely]]
    return;
  dispatch::CommonDevice common(op);
  for (const NamedTensor& given : tensors) common.add(given.tensor, given.name);
}

inline void check_dtypes(const char* op, std::initializer_list<NamedTensor> tensors) {
  dispatch::same_dtype(op, tensors);
}

}  // namespace eagre::ops
