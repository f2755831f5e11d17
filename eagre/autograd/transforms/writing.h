// Writes to tensors that carry something. All of them are copies in the end: an in-place operator
// makes a new tensor, which copy_() puts in place.
#pragma once

#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>

namespace eagre::autograd {

// The values: for every sample its own.
EAGRE_API void copy_batch(const TensorBase& target, const TensorBase& source, CallSite at);
// The tangents, through views to their bases. A target that has none yet has zeros elsewhere.
EAGRE_API void copy_tangents(const TensorBase& target, const TensorBase& source, CallSite at);

}  // namespace eagre::autograd
