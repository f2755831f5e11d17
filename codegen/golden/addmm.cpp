// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/addmm.h
// addmm: dispatch, and recording of the gradient. Generated from ops/linalg.yaml:84; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase addmm(const TensorBase& input, const TensorBase& mat1, const TensorBase& mat2, const Scalar& beta, const Scalar& alpha, CallSite at);

}  // namespace eagre::ops
