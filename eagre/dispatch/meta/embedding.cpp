// Shapes of embeddings. What users pass is checked by the operators that are made of these.
#include <cstddef>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector rows_at(const char* op, const TensorImpl& weight, const TensorImpl& index) {
  DimVector sizes = index.sizes();
  for (size_t d = 1; d < weight.sizes().size(); ++d) sizes.push_back(weight.sizes()[d]);
  checked_numel(op, sizes);
  return sizes;
}

DimVector sum_bags(const char* op, const TensorImpl& weight, const TensorImpl& offset) {
  const DimVector sizes{offset.sizes()[0] - 1, weight.sizes()[1]};
  checked_numel(op, sizes);
  return sizes;
}

}  // namespace eagre::dispatch::meta
