// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/matmul_grad_input.h
// matmul_grad_input: dispatch, and recording of the gradient. Generated from ops/linalg.yaml:95; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase matmul_grad_input(const TensorBase& g, const TensorBase& other, Dims size, CallSite at);

}  // namespace eagre::ops
