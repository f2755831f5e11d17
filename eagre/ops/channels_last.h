// Memory in which channels come last.
#pragma once

#include <eagre/core/memory_format.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

inline bool has_channels_last(const TensorBase& tensor) {
  return tensor.numel() != 0 && !tensor.get().is_contiguous() &&
         suggests_channels_last(tensor.sizes(), tensor.strides());
}

}  // namespace eagre::ops
