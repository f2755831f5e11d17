// Pooling by the largest element: which kernel, and the gradient with operators.
#include <array>
#include <cstdint>
#include <type_traits>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/max_pool1d.h>
#include <eagre/ops/max_pool1d_and_indices.h>
#include <eagre/ops/max_pool1d_with_indices.h>
#include <eagre/ops/max_pool2d.h>
#include <eagre/ops/max_pool2d_and_indices.h>
#include <eagre/ops/max_pool2d_with_indices.h>
#include <eagre/ops/max_pool3d.h>
#include <eagre/ops/max_pool3d_and_indices.h>
#include <eagre/ops/max_pool3d_with_indices.h>
#include <eagre/ops/max_pool_at.h>
#include <eagre/ops/max_pool_indices.h>
#include <eagre/ops/max_pool_values.h>
#include <eagre/ops/pool_windows.h>
#include <eagre/ops/reshape.h>

namespace eagre::ops {
namespace {

TensorBase values_of(const TensorBase& input, const PoolWindows& pool, int64_t spatial,
                     CallSite at) {
  if (!autograd::is_traced(input)) {
    return max_pool_values(input, pool.size, pool.window, spatial, at);
  }
  return std::get<0>(max_pool_indices(input, pool.size, pool.window, spatial, at));
}

}  // namespace

TensorBase max_pool1d(const TensorBase& input, Dims kernel_size, const OptionalDims& stride,
                      Dims padding, Dims dilation, bool ceil_mode, std::false_type, CallSite at) {
  return values_of(
      input,
      pool_windows("max_pool1d", input, 1, kernel_size, stride, padding, dilation, ceil_mode), 1,
      at);
}

std::array<TensorBase, 2> max_pool1d_with_indices(const TensorBase& input, Dims kernel_size,
                                                  const OptionalDims& stride, Dims padding,
                                                  Dims dilation, bool ceil_mode, bool,
                                                  CallSite at) {
  const PoolWindows pool = pool_windows("max_pool1d_with_indices", input, 1, kernel_size, stride,
                                        padding, dilation, ceil_mode);
  return max_pool_indices(input, pool.size, pool.window, 1, at);
}

std::array<TensorBase, 2> max_pool1d_and_indices(const TensorBase& input, Dims kernel_size,
                                                 const OptionalDims& stride, Dims padding,
                                                 Dims dilation, bool ceil_mode, bool, CallSite at) {
  const PoolWindows pool =
      pool_windows("max_pool1d", input, 1, kernel_size, stride, padding, dilation, ceil_mode);
  return max_pool_indices(input, pool.size, pool.window, 1, at);
}

TensorBase max_pool2d(const TensorBase& input, Dims kernel_size, const OptionalDims& stride,
                      Dims padding, Dims dilation, bool ceil_mode, std::false_type, CallSite at) {
  return values_of(
      input,
      pool_windows("max_pool2d", input, 2, kernel_size, stride, padding, dilation, ceil_mode), 2,
      at);
}

std::array<TensorBase, 2> max_pool2d_with_indices(const TensorBase& input, Dims kernel_size,
                                                  const OptionalDims& stride, Dims padding,
                                                  Dims dilation, bool ceil_mode, bool,
                                                  CallSite at) {
  const PoolWindows pool = pool_windows("max_pool2d_with_indices", input, 2, kernel_size, stride,
                                        padding, dilation, ceil_mode);
  return max_pool_indices(input, pool.size, pool.window, 2, at);
}

std::array<TensorBase, 2> max_pool2d_and_indices(const TensorBase& input, Dims kernel_size,
                                                 const OptionalDims& stride, Dims padding,
                                                 Dims dilation, bool ceil_mode, bool, CallSite at) {
  const PoolWindows pool =
      pool_windows("max_pool2d", input, 2, kernel_size, stride, padding, dilation, ceil_mode);
  return max_pool_indices(input, pool.size, pool.window, 2, at);
}

TensorBase max_pool3d(const TensorBase& input, Dims kernel_size, const OptionalDims& stride,
                      Dims padding, Dims dilation, bool ceil_mode, std::false_type, CallSite at) {
  return values_of(
      input,
      pool_windows("max_pool3d", input, 3, kernel_size, stride, padding, dilation, ceil_mode), 3,
      at);
}

std::array<TensorBase, 2> max_pool3d_with_indices(const TensorBase& input, Dims kernel_size,
                                                  const OptionalDims& stride, Dims padding,
                                                  Dims dilation, bool ceil_mode, bool,
                                                  CallSite at) {
  const PoolWindows pool = pool_windows("max_pool3d_with_indices", input, 3, kernel_size, stride,
                                        padding, dilation, ceil_mode);
  return max_pool_indices(input, pool.size, pool.window, 3, at);
}

std::array<TensorBase, 2> max_pool3d_and_indices(const TensorBase& input, Dims kernel_size,
                                                 const OptionalDims& stride, Dims padding,
                                                 Dims dilation, bool ceil_mode, bool, CallSite at) {
  const PoolWindows pool =
      pool_windows("max_pool3d", input, 3, kernel_size, stride, padding, dilation, ceil_mode);
  return max_pool_indices(input, pool.size, pool.window, 3, at);
}

TensorBase max_pool_at(const TensorBase& input, const TensorBase& indices, int64_t spatial,
                       CallSite at) {
  const TensorBase found =
      gather(as_planes(input, spatial, at), -1, as_planes(indices, spatial, at), at);
  return reshape(found, indices.sizes(), at);
}

}  // namespace eagre::ops
