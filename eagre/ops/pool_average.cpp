// Pooling by averages and norms.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/abs.h>
#include <eagre/ops/adaptive_avg_pool1d.h>
#include <eagre/ops/adaptive_avg_pool2d.h>
#include <eagre/ops/adaptive_avg_pool3d.h>
#include <eagre/ops/as_strided.h>
#include <eagre/ops/avg_pool.h>
#include <eagre/ops/avg_pool1d.h>
#include <eagre/ops/avg_pool2d.h>
#include <eagre/ops/avg_pool3d.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/lp_pool1d.h>
#include <eagre/ops/lp_pool2d.h>
#include <eagre/ops/lp_pool3d.h>
#include <eagre/ops/max_pool1d.h>
#include <eagre/ops/max_pool2d.h>
#include <eagre/ops/max_pool3d.h>
#include <eagre/ops/mean.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/pool_windows.h>
#include <eagre/ops/pow.h>
#include <eagre/ops/relu.h>
#include <eagre/ops/sign.h>
#include <eagre/ops/with_gradient_format.h>

namespace eagre::ops {
namespace {

TensorBase average(const TensorBase& input, const PoolWindows& pool, bool count_include_pad,
                   int64_t divisor, int64_t spatial, CallSite at) {
  return avg_pool(input, pool.size, pool.window, count_include_pad, divisor, spatial, at);
}

int64_t checked_divisor(const char* op, std::optional<int64_t> divisor) {
  if (divisor == 0) invalid_argument(op, "divisor_override", "a number that is not 0", "0");
  return divisor.value_or(0);
}

TensorBase adaptive(const char* op, const TensorBase& input, const OptionalDims& output_size,
                    int64_t spatial, CallSite at) {
  const PoolWindows pool = adaptive_windows(op, input, spatial, output_size);
  const bool is_whole =
      std::all_of(pool.size.begin(), pool.size.end(), [](int64_t size) { return size == 1; });
  if (is_whole) {
    DimVector dims;
    for (int64_t d = -spatial; d < 0; ++d) dims.push_back(d);
    // The gradient is one number for each plane, seen everywhere: it is written out, as in PyTorch.
    TensorBase averages =
        autograd::should_record(input)
            ? mean(with_gradient_format(input, input.sizes(), false, at), Dims(dims), true, {}, at)
            : mean(input, Dims(dims), true, {}, at);
    if (!suggests_channels_last(input.sizes(), input.strides())) return averages;
    const DimVector strides = strides_of(op, averages.sizes(), MemoryFormat::kChannelsLast);
    return as_strided(averages, averages.sizes(), Dims(strides), {}, at);
  }
  return average(input, pool, false, 0, spatial, at);
}

// `maxima` and `averages` pool the tensor they get.
template <class Maxima, class Averages>
TensorBase norms(const char* op, const TensorBase& input, double norm_type, Dims kernel_size,
                 int64_t spatial, const Maxima& maxima, const Averages& averages, CallSite at) {
  if (norm_type == 0) invalid_argument(op, "norm_type", "a number that is not 0", "0");
  if (std::isinf(norm_type)) {
    const TensorBase sizes = abs(input, at);
    return norm_type > 0 ? maxima(sizes) : neg(maxima(neg(sizes, at)), at);
  }
  const TensorBase average = averages(pow(input, norm_type, at));
  double count = 1;
  for (int64_t size : kernel_size) count *= static_cast<double>(size);
  if (kernel_size.size() == 1) count = std::pow(count, spatial);
  const TensorBase sums = mul(mul(sign(average, at), relu(abs(average, at), at), at), count, at);
  return pow(sums, 1 / norm_type, at);
}

}  // namespace

TensorBase avg_pool1d(const TensorBase& input, Dims kernel_size, const OptionalDims& stride,
                      Dims padding, bool ceil_mode, bool count_include_pad, CallSite at) {
  const PoolWindows pool =
      pool_windows("avg_pool1d", input, 1, kernel_size, stride, padding, {}, ceil_mode);
  return average(input, pool, count_include_pad, 0, 1, at);
}

TensorBase adaptive_avg_pool1d(const TensorBase& input, const OptionalDims& output_size,
                               CallSite at) {
  return adaptive("adaptive_avg_pool1d", input, output_size, 1, at);
}

TensorBase lp_pool1d(const TensorBase& input, double norm_type, Dims kernel_size,
                     const OptionalDims& stride, bool ceil_mode, CallSite at) {
  return norms(
      "lp_pool1d", input, norm_type, kernel_size, 1,
      [&](const TensorBase& sizes) {
        return max_pool1d(sizes, kernel_size, stride, 0, 1, ceil_mode, {}, at);
      },
      [&](const TensorBase& powers) {
        return avg_pool1d(powers, kernel_size, stride, 0, ceil_mode, true, at);
      },
      at);
}

TensorBase avg_pool2d(const TensorBase& input, Dims kernel_size, const OptionalDims& stride,
                      Dims padding, bool ceil_mode, bool count_include_pad,
                      std::optional<int64_t> divisor_override, CallSite at) {
  const PoolWindows pool =
      pool_windows("avg_pool2d", input, 2, kernel_size, stride, padding, {}, ceil_mode);
  return average(input, pool, count_include_pad, checked_divisor("avg_pool2d", divisor_override), 2,
                 at);
}

TensorBase adaptive_avg_pool2d(const TensorBase& input, const OptionalDims& output_size,
                               CallSite at) {
  return adaptive("adaptive_avg_pool2d", input, output_size, 2, at);
}

TensorBase lp_pool2d(const TensorBase& input, double norm_type, Dims kernel_size,
                     const OptionalDims& stride, bool ceil_mode, CallSite at) {
  return norms(
      "lp_pool2d", input, norm_type, kernel_size, 2,
      [&](const TensorBase& sizes) {
        return max_pool2d(sizes, kernel_size, stride, 0, 1, ceil_mode, {}, at);
      },
      [&](const TensorBase& powers) {
        return avg_pool2d(powers, kernel_size, stride, 0, ceil_mode, true, {}, at);
      },
      at);
}

TensorBase avg_pool3d(const TensorBase& input, Dims kernel_size, const OptionalDims& stride,
                      Dims padding, bool ceil_mode, bool count_include_pad,
                      std::optional<int64_t> divisor_override, CallSite at) {
  const PoolWindows pool =
      pool_windows("avg_pool3d", input, 3, kernel_size, stride, padding, {}, ceil_mode);
  return average(input, pool, count_include_pad, checked_divisor("avg_pool3d", divisor_override), 3,
                 at);
}

TensorBase adaptive_avg_pool3d(const TensorBase& input, const OptionalDims& output_size,
                               CallSite at) {
  return adaptive("adaptive_avg_pool3d", input, output_size, 3, at);
}

TensorBase lp_pool3d(const TensorBase& input, double norm_type, Dims kernel_size,
                     const OptionalDims& stride, bool ceil_mode, CallSite at) {
  return norms(
      "lp_pool3d", input, norm_type, kernel_size, 3,
      [&](const TensorBase& sizes) {
        return max_pool3d(sizes, kernel_size, stride, 0, 1, ceil_mode, {}, at);
      },
      [&](const TensorBase& powers) {
        return avg_pool3d(powers, kernel_size, stride, 0, ceil_mode, true, {}, at);
      },
      at);
}

}  // namespace eagre::ops
