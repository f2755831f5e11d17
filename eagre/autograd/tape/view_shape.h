// The sizes, strides and dtype of a view, apart from its memory: the same view of another tensor.
#pragma once

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

// Sizes, strides and dtype of a look at some memory, for as long as nobody needs the memory.
struct ViewShape {
  DimVector sizes;
  DimVector strides;
  int64_t offset;
  DType dtype;

  explicit ViewShape(const TensorImpl& view)
      : sizes(view.sizes()), strides(view.strides()), offset(view.offset), dtype(view.key.dtype) {}
  // What this look shows of `base`, recorded if gradients are.
  TensorBase of(const TensorBase& base, CallSite at) const;
};

// A view of `base`, which lies in memory as its tangents do: these are seen the same way, so that
// writing to the view writes to them.
EAGRE_API TensorBase view_of_dual(const TensorBase& base, const ViewShape& shape, CallSite at);

}  // namespace eagre::autograd
