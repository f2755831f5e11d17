// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/rdiv.h
// rdiv: dispatch, and recording of the gradient. Generated from ops/pointwise.yaml:108; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase rdiv(const TensorBase& input, const Operand& other, CallSite at);

}  // namespace eagre::ops
