// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/outer.h
// outer: dispatch, and recording of the gradient. Generated from ops/linalg.yaml:72; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase outer(const TensorBase& input, const TensorBase& vec2, CallSite at);

}  // namespace eagre::ops
