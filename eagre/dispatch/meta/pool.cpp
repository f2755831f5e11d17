// Shapes of pooled tensors, whose windows the callers have checked.
#include <array>
#include <cstddef>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector pooled(const char* op, const TensorImpl& input, Dims size) {
  DimVector sizes = input.sizes();
  const size_t lead = sizes.size() - size.size();
  for (size_t i = 0; i < size.size(); ++i) sizes[lead + i] = size[i];
  checked_numel(op, sizes);
  return sizes;
}

std::array<DimVector, 2> pooled_with_indices(const char* op, const TensorImpl& input, Dims size) {
  const DimVector sizes = pooled(op, input, size);
  int64_t plane = 1;
  const Dims from = input.sizes();
  for (size_t i = 0; i < size.size(); ++i) plane *= from[from.size() - 1 - i];
  EAGRE_CHECK(plane <= INT32_MAX / 2 || input.is_contiguous() || input.numel == 0, kUnimplemented,
              op, "(): argument 'input' must be contiguous if a plane has 2^30 elements or more");
  return {sizes, sizes};
}

}  // namespace eagre::dispatch::meta
