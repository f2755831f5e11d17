// Pooling by the largest of windows at random places: what is asked for, checked.
#include <array>
#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/window.h>
#include <eagre/ops/fractional_max_pool2d.h>
#include <eagre/ops/fractional_max_pool3d.h>
#include <eagre/ops/fractional_pool.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/pool_windows.h>

namespace eagre::ops {
namespace {

std::array<TensorBase, 2> pooled(const char* op, const TensorBase& input, Dims kernel_size,
                                 Dims output_size, const TensorBase& samples, int64_t spatial,
                                 CallSite at) {
  check_pooled(op, input, spatial);
  const auto count = static_cast<size_t>(spatial);
  const DimVector kernel = window_argument(op, "kernel_size", kernel_size, count, 1, {});
  const DimVector size = window_argument(op, "output_size", output_size, count, 1, {});
  const Dims sizes = input.sizes();
  const size_t lead = sizes.size() - count;
  for (size_t i = 0; i < count; ++i) {
    if (size[i] + kernel[i] - 1 <= sizes[lead + i]) continue;
    invalid_argument(op, "kernel_size",
                     concat("such that output_size + kernel_size - 1 is at most the input's size ",
                            sizes[lead + i], " in dimension ", i, " (pool size is too large)"),
                     concat("kernel ", kernel[i], " for ", size[i], " windows"));
  }
  const int64_t images = lead == 1 ? 1 : sizes[0], channels = sizes[lead - 1];
  if (samples.get(op, "random_samples").key.dtype != input.dtype()) {
    raise(ErrorKind::kType, ArgumentProblem{op, "_random_samples",
                                            concat("the same dtype as 'input', ", input.dtype()),
                                            concat(samples.dtype())});
  }
  if (samples.sizes() != Dims({images, channels, spatial})) {
    invalid_argument(op, "_random_samples",
                     concat("of shape ", Dims({images, channels, spatial}), ": images, channels, ",
                            "numbers of each"),
                     shape_text(samples));
  }
  return fractional_pool(input, samples, kernel, size, spatial, at);
}

}  // namespace

std::array<TensorBase, 2> fractional_max_pool2d(const TensorBase& input, Dims kernel_size,
                                                Dims output_size, const TensorBase& random_samples,
                                                CallSite at) {
  return pooled("fractional_max_pool2d", input, kernel_size, output_size, random_samples, 2, at);
}

std::array<TensorBase, 2> fractional_max_pool3d(const TensorBase& input, Dims kernel_size,
                                                Dims output_size, const TensorBase& random_samples,
                                                CallSite at) {
  return pooled("fractional_max_pool3d", input, kernel_size, output_size, random_samples, 3, at);
}

}  // namespace eagre::ops
