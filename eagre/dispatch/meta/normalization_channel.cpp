// Shapes of normalizations of channels. What users pass is checked by the operators above these.
#include <array>
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

std::array<DimVector, 3> channel_norm(const char*, const TensorImpl& input, int64_t groups) {
  const Dims sizes = input.sizes();
  const int64_t of_batch[] = {sizes[1]}, of_images[] = {sizes[0], groups};
  const Dims sets = groups == 0 ? Dims(of_batch, 1) : Dims(of_images, 2);
  return {sizes, sets, sets};
}

std::array<DimVector, 3> channel_norm_backward(const char*, const TensorImpl& input) {
  const DimVector channels({input.sizes()[1]});
  return {input.sizes(), channels, channels};
}

}  // namespace eagre::dispatch::meta
