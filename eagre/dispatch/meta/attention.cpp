// Shapes of attention. What users pass is checked by the operator above these.
#include <array>
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

std::array<DimVector, 2> attention(const char*, const TensorImpl& query, const TensorImpl& value) {
  const Dims sizes = query.sizes();
  const int64_t result[] = {sizes[0], sizes[1], sizes[2], value.sizes()[3]};
  return {Dims(result, 4), Dims(sizes.data(), 3)};
}

std::array<DimVector, 3> attention_backward(const char*, const TensorImpl& query,
                                            const TensorImpl& key, const TensorImpl& value) {
  return {query.sizes(), key.sizes(), value.sizes()};
}

}  // namespace eagre::dispatch::meta
