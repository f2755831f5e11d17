// Shapes of operators about how elements are spread.
#include <cstddef>
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector longest_run(const char* op, const TensorImpl& ordered, int64_t dim) {
  DimVector sizes = ordered.sizes();
  const int64_t d = wrap_dim(op, "dim", dim, ordered.key.rank);
  if (!sizes.empty()) sizes[static_cast<size_t>(d)] = 1;
  return sizes;
}

}  // namespace eagre::dispatch::meta
