// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/scale.h
// scale: dispatch, and recording of the gradient. Generated from ops/pointwise.yaml:152; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase scale(const TensorBase& input, const Scalar& factor, CallSite at);

}  // namespace eagre::ops
