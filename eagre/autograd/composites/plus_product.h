// What addmm and its kin have in common.
#pragma once

#include <eagre/base/call_site.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

// beta * input + alpha * product, without `input` where beta is 0: it may hold NaN. Of integers,
// factors lose their fractions, as in PyTorch. `input` may be repeated to the product's shape.
TensorBase plus_product(const char* op, const TensorBase& input, const TensorBase& product,
                        const Scalar& beta, const Scalar& alpha, CallSite at);

}  // namespace eagre::ops
