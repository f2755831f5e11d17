// Shapes of normalizations. What users pass is checked by the operators that are made of these.
#include <array>
#include <cstddef>
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

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

std::array<DimVector, 2> rms_norm_rows(const char*, const TensorImpl& input, int64_t inner_rank) {
  const Dims sizes = input.sizes();
  return {sizes, Dims(sizes.data(), sizes.size() - static_cast<size_t>(inner_rank))};
}

std::array<DimVector, 2> rms_norm_backward(const char* op, const TensorImpl& input,
                                           int64_t inner_rank) {
  return {input.sizes(), inner_sizes(op, input, inner_rank)};
}

}  // namespace eagre::dispatch::meta
