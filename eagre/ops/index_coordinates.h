// What `x[…]` is indexed with, as coordinates: masks become vectors of places.
#pragma once

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_list.h>

namespace eagre::ops {

inline bool is_mask(const TensorBase& index) {
  return index.defined() && (index.dtype() == kBool || index.dtype() == kUInt8);
}

inline bool has_mask(TensorList indices) {
  for (const TensorBase& index : indices) {
    if (is_mask(index)) return true;
  }
  return false;
}

// Indices may come from the CPU, whatever device the tensor is on.
inline bool are_elsewhere(const TensorBase& input, TensorList indices) {
  if (input.device().is_cpu()) return false;
  for (const TensorBase& index : indices) {
    if (index.defined() && index.device().is_cpu()) return true;
  }
  return false;
}

// The indices on the device of the tensor.
TensorVector beside(const TensorBase& input, TensorList indices);

// The tensor that is indexed and the coordinates, one for each of its first dimensions.
struct Coordinates {
  TensorBase input;
  TensorVector indices;

  Coordinates(const char* op, const TensorBase& tensor, TensorList given, CallSite at);
};

}  // namespace eagre::ops
