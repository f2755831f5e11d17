// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/unsqueeze_like.h
// unsqueeze_like: dispatch, and recording of the gradient. Generated from ops/view.yaml:69; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase unsqueeze_like(const TensorBase& input, Dims size, int64_t dim, CallSite at);

}  // namespace eagre::ops
