// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/bmm.h
// bmm: dispatch, and recording of the gradient. Generated from ops/linalg.yaml:39; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase bmm(const TensorBase& input, const TensorBase& mat2, CallSite at);

}  // namespace eagre::ops
