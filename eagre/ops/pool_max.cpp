// Pooling by the largest of adaptive windows, and back.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/window.h>
#include <eagre/ops/adaptive_max_pool1d.h>
#include <eagre/ops/adaptive_max_pool1d_and_indices.h>
#include <eagre/ops/adaptive_max_pool1d_with_indices.h>
#include <eagre/ops/adaptive_max_pool2d.h>
#include <eagre/ops/adaptive_max_pool2d_and_indices.h>
#include <eagre/ops/adaptive_max_pool2d_with_indices.h>
#include <eagre/ops/adaptive_max_pool3d.h>
#include <eagre/ops/adaptive_max_pool3d_and_indices.h>
#include <eagre/ops/adaptive_max_pool3d_with_indices.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/max_pool_indices.h>
#include <eagre/ops/max_pool_values.h>
#include <eagre/ops/max_unpool1d.h>
#include <eagre/ops/max_unpool2d.h>
#include <eagre/ops/max_unpool3d.h>
#include <eagre/ops/new_zeros.h>
#include <eagre/ops/pool_windows.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scatter.h>

namespace eagre::ops {
namespace {

TensorBase largest(const char* op, const TensorBase& input, const OptionalDims& output_size,
                   int64_t spatial, CallSite at) {
  const PoolWindows pool = adaptive_windows(op, input, spatial, output_size);
  if (!autograd::is_traced(input)) {
    return max_pool_values(input, pool.size, pool.window, spatial, at);
  }
  return std::get<0>(max_pool_indices(input, pool.size, pool.window, spatial, at));
}

std::array<TensorBase, 2> largest_with_indices(const char* op, const TensorBase& input,
                                               const OptionalDims& output_size, int64_t spatial,
                                               CallSite at) {
  const PoolWindows pool = adaptive_windows(op, input, spatial, output_size);
  return max_pool_indices(input, pool.size, pool.window, spatial, at);
}

// One that max_pool can have had before; without a choice the least.
DimVector unpooled_size(const char* op, Dims pooled, Dims kernel, Dims stride, Dims padding,
                        const OptionalDims& chosen) {
  const size_t count = kernel.size(), lead = pooled.size() - count;
  Dims wanted = chosen.values();
  if (wanted.size() == count + 2) wanted = Dims(wanted.data() + 2, count);
  if (chosen.given() && wanted.size() != count) {
    invalid_argument(op, "output_size", concat(count, " or ", count + 2, " numbers"),
                     to_string(chosen.values()));
  }
  DimVector size(count);
  for (size_t i = 0; i < count; ++i) {
    const int64_t span = pooled[lead + i];
    if (span > kMostOfWindow) {
      invalid_argument(op, "input", "shorter than 2^31 in each dimension", concat(pooled));
    }
    const int64_t least = (span - 1) * stride[i] + kernel[i] - 2 * padding[i];
    size[i] = chosen.given() ? wanted[i] : least;
    if (size[i] <= least - stride[i] || size[i] >= least + stride[i]) {
      invalid_argument(op, "output_size",
                       concat("from ", least - stride[i] + 1, " to ", least + stride[i] - 1,
                              " in dimension ", i),
                       to_string(chosen.values()));
    }
    if (size[i] < 1) {
      invalid_argument(op, chosen.given() ? "output_size" : "kernel_size",
                       "such that the result has elements", concat("size ", size[i]));
    }
  }
  return size;
}

TensorBase unpool(const char* op, const TensorBase& input, const TensorBase& indices,
                  Dims kernel_size, const OptionalDims& stride, Dims padding,
                  const OptionalDims& output_size, int64_t spatial, CallSite at) {
  check_pooled(op, input, spatial);
  if (indices.get(op, "indices").key.dtype != kInt64) {
    raise(ErrorKind::kType,
          ArgumentProblem{op, "indices", "a tensor of int64", concat(indices.dtype())});
  }
  if (indices.sizes() != input.sizes()) {
    invalid_argument(op, "indices", concat("of shape ", input.sizes(), ", as 'input'"),
                     shape_text(indices));
  }
  const auto count = static_cast<size_t>(spatial);
  const DimVector kernel = window_argument(op, "kernel_size", kernel_size, count, 1, {});
  const DimVector steps = window_argument(op, "stride", stride, count, 1, kernel);
  const DimVector borders = window_argument(op, "padding", padding, count, 0, DimVector{0});
  const DimVector size = unpooled_size(op, input.sizes(), kernel, steps, borders, output_size);
  DimVector shape = input.sizes(), planes = Dims(shape.data(), shape.size() - count);
  for (size_t i = 0; i < count; ++i) shape[planes.size() + i] = size[i];
  const int64_t elements = checked_numel(op, size);
  checked_numel(op, shape);
  planes.push_back(elements);
  const TensorBase zeros = new_zeros(input, planes, {}, at);
  const TensorBase placed =
      scatter(zeros, -1, as_planes(indices, spatial, at), as_planes(input, spatial, at), at);
  return reshape(placed, shape, at);
}

}  // namespace

TensorBase adaptive_max_pool1d(const TensorBase& input, const OptionalDims& output_size,
                               std::false_type, CallSite at) {
  return largest("adaptive_max_pool1d", input, output_size, 1, at);
}

std::array<TensorBase, 2> adaptive_max_pool1d_and_indices(const TensorBase& input,
                                                          const OptionalDims& output_size, bool,
                                                          CallSite at) {
  return largest_with_indices("adaptive_max_pool1d", input, output_size, 1, at);
}

std::array<TensorBase, 2> adaptive_max_pool1d_with_indices(const TensorBase& input,
                                                           const OptionalDims& output_size, bool,
                                                           CallSite at) {
  return largest_with_indices("adaptive_max_pool1d_with_indices", input, output_size, 1, at);
}

TensorBase max_unpool1d(const TensorBase& input, const TensorBase& indices, Dims kernel_size,
                        const OptionalDims& stride, Dims padding, const OptionalDims& output_size,
                        CallSite at) {
  return unpool("max_unpool1d", input, indices, kernel_size, stride, padding, output_size, 1, at);
}

TensorBase adaptive_max_pool2d(const TensorBase& input, const OptionalDims& output_size,
                               std::false_type, CallSite at) {
  return largest("adaptive_max_pool2d", input, output_size, 2, at);
}

std::array<TensorBase, 2> adaptive_max_pool2d_and_indices(const TensorBase& input,
                                                          const OptionalDims& output_size, bool,
                                                          CallSite at) {
  return largest_with_indices("adaptive_max_pool2d", input, output_size, 2, at);
}

std::array<TensorBase, 2> adaptive_max_pool2d_with_indices(const TensorBase& input,
                                                           const OptionalDims& output_size, bool,
                                                           CallSite at) {
  return largest_with_indices("adaptive_max_pool2d_with_indices", input, output_size, 2, at);
}

TensorBase max_unpool2d(const TensorBase& input, const TensorBase& indices, Dims kernel_size,
                        const OptionalDims& stride, Dims padding, const OptionalDims& output_size,
                        CallSite at) {
  return unpool("max_unpool2d", input, indices, kernel_size, stride, padding, output_size, 2, at);
}

TensorBase adaptive_max_pool3d(const TensorBase& input, const OptionalDims& output_size,
                               std::false_type, CallSite at) {
  return largest("adaptive_max_pool3d", input, output_size, 3, at);
}

std::array<TensorBase, 2> adaptive_max_pool3d_and_indices(const TensorBase& input,
                                                          const OptionalDims& output_size, bool,
                                                          CallSite at) {
  return largest_with_indices("adaptive_max_pool3d", input, output_size, 3, at);
}

std::array<TensorBase, 2> adaptive_max_pool3d_with_indices(const TensorBase& input,
                                                           const OptionalDims& output_size, bool,
                                                           CallSite at) {
  return largest_with_indices("adaptive_max_pool3d_with_indices", input, output_size, 3, at);
}

TensorBase max_unpool3d(const TensorBase& input, const TensorBase& indices, Dims kernel_size,
                        const OptionalDims& stride, Dims padding, const OptionalDims& output_size,
                        CallSite at) {
  return unpool("max_unpool3d", input, indices, kernel_size, stride, padding, output_size, 3, at);
}

}  // namespace eagre::ops
