// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/sum_to_size.h
// sum_to_size: dispatch, and recording of the gradient. Generated from ops/reduction.yaml:24; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase sum_to_size(const TensorBase& input, Dims size, CallSite at);

}  // namespace eagre::ops
