// Batches of sampled images: the samples are more images.
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/grid_points.h>
#include <eagre/ops/grid_slope.h>
#include <eagre/ops/grid_spread.h>
#include <eagre/ops/reshape.h>

namespace eagre::autograd::rules {
namespace {

// The images of all samples, one after the other.
TensorBase merged(const BatchCall& call, const TensorBase& tensor, CallSite at) {
  const TensorBase all = call.every(tensor);
  DimVector sizes = all.sizes();
  sizes[0] *= sizes[1];
  sizes.erase(1);
  return ops::reshape(all, sizes, at);
}

TensorBase split(const BatchCall& call, const TensorBase& images, CallSite at) {
  // Without samples there are no images in any of them.
  const int64_t samples = call.size(), each = samples == 0 ? 0 : images.sizes()[0] / samples;
  DimVector sizes({samples, each});
  for (size_t d = 1; d < images.sizes().size(); ++d) sizes.push_back(images.sizes()[d]);
  return call.result(ops::reshape(images, sizes, at));
}

DimVector of_all(const BatchCall& call, Dims shape) {
  DimVector sizes(shape);
  sizes[0] *= call.size();
  return sizes;
}

}  // namespace

TensorBase grid_points(const BatchCall& call, const TensorBase& input, const TensorBase& points,
                       Dims shape, int64_t mode, int64_t padding, bool align_corners, Dims order,
                       int64_t spatial, CallSite at) {
  return split(
      call,
      ops::grid_points(merged(call, input, at), merged(call, points, at), of_all(call, shape), mode,
                       padding, align_corners, order, spatial, at),
      at);
}

TensorBase grid_spread(const BatchCall& call, const TensorBase& grad, const TensorBase& points,
                       Dims shape, int64_t mode, int64_t padding, bool align_corners, Dims order,
                       int64_t spatial, CallSite at) {
  return split(
      call,
      ops::grid_spread(merged(call, grad, at), merged(call, points, at), of_all(call, shape), mode,
                       padding, align_corners, order, spatial, at),
      at);
}

TensorBase grid_slope(const BatchCall& call, const TensorBase& grad, const TensorBase& input,
                      const TensorBase& points, int64_t mode, int64_t padding, bool align_corners,
                      Dims order, int64_t spatial, CallSite at) {
  return split(
      call,
      ops::grid_slope(merged(call, grad, at), merged(call, input, at), merged(call, points, at),
                      mode, padding, align_corners, order, spatial, at),
      at);
}

}  // namespace eagre::autograd::rules
