// Shapes of linear layers.
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector affine(const char* op, const TensorImpl& input, const TensorImpl& weight) {
  DimVector result = input.sizes();
  result.back() = weight.sizes()[0];
  checked_numel(op, result);
  return result;
}

}  // namespace eagre::dispatch::meta
