// Shapes of cumsum and similar.
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector along(const char* op, const TensorImpl& input, int64_t dim) {
  wrap_dim(op, "dim", dim, input.key.rank);
  return input.sizes();
}

}  // namespace eagre::dispatch::meta
