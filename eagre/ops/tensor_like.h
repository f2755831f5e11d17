// Memory for functions such as empty_like, and the last step of all functions that make tensors.
#pragma once

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/base/export.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

// As many samples as `input` has, if it is a batch.
TensorBase uninitialized_like(const char* op, const TensorBase& input, MemoryFormat format,
                              const TensorOptions& options);

EAGRE_INLINE TensorBase with_requires_grad(TensorBase result, const TensorOptions& options) {
  if (options.requires_grad_is_set()) [[unlikely]]
    autograd::set_requires_grad(result, true);
  return result;
}

}  // namespace eagre::ops
