// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/dot.h
// dot: dispatch, and recording of the gradient. Generated from ops/linalg.yaml:61; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase dot(const TensorBase& input, const TensorBase& tensor, CallSite at);

}  // namespace eagre::ops
