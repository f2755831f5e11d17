// Shapes of the functions of neural networks and of losses. What users pass is checked by the
// operators that are made of these.
#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector like(const char*, const TensorImpl& input) { return input.sizes(); }

DimVector inner_sizes(const char*, const TensorImpl& input, int64_t inner_rank) {
  const Dims sizes = input.sizes();
  const auto count = static_cast<size_t>(inner_rank);
  return Dims(sizes.data() + (sizes.size() - count), count);
}

std::array<DimVector, 3> layer_norm_with_stats(const char*, const TensorImpl& input,
                                               int64_t inner_rank) {
  const Dims sizes = input.sizes();
  const DimVector outer = Dims(sizes.data(), sizes.size() - static_cast<size_t>(inner_rank));
  return {sizes, outer, outer};
}

DimVector rows_at(const char* op, const TensorImpl& weight, const TensorImpl& index) {
  DimVector sizes = index.sizes();
  for (size_t d = 1; d < weight.sizes().size(); ++d) sizes.push_back(weight.sizes()[d]);
  checked_numel(op, sizes);
  return sizes;
}

}  // namespace eagre::dispatch::meta
