// Shapes of images with other sizes.
#include <array>
#include <cstddef>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/window.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector resample(const char* op, const TensorImpl& input, int64_t dim, int64_t size) {
  if (size < 1 || size > kMostOfWindow) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "size", "greater than zero, and less than 2^31", concat(size)});
  }
  DimVector sizes = input.sizes();
  sizes[static_cast<size_t>(dim + static_cast<int64_t>(sizes.size()))] = size;
  checked_numel(op, sizes);
  return sizes;
}

std::array<DimVector, 2> grid_points_fused_grad(const char*, const TensorImpl& input,
                                                const TensorImpl& points) {
  return {input.sizes(), points.sizes()};
}

}  // namespace eagre::dispatch::meta
