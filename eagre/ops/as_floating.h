// Integers as floating-point numbers.
#pragma once

#include <eagre/ops/cast.h>

namespace eagre::ops {

// Integers as the default floating type, as kernels with real results take them.
inline TensorBase as_floating(const TensorBase& input, CallSite at) {
  return is_differentiable(input.dtype()) ? input : cast(input, default_dtype(), at);
}

}  // namespace eagre::ops
