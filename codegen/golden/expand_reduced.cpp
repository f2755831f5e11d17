// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/expand_reduced.h
// expand_reduced: dispatch, and recording of the gradient. Generated from ops/reduction.yaml:32; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase expand_reduced(const TensorBase& input, Dims size, const OptionalDims& dim, bool keepdim, CallSite at);

}  // namespace eagre::ops
