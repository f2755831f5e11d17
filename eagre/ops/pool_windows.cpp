// Checks of pooling operators.
#include <eagre/ops/pool_windows.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/window.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/reshape.h>

namespace eagre::ops {

void check_pooled(const char* op, const TensorBase& input, int64_t spatial) {
  const int64_t rank = input.get(op, "input").key.rank;
  if (rank != spatial + 1 && rank != spatial + 2) {
    invalid_argument(op, "input",
                     concat("a tensor with ", spatial + 1, " or ", spatial + 2,
                            " dimensions (channels, and perhaps a batch before)"),
                     shape_text(input));
  }
  for (size_t d = rank == spatial + 2 ? 1 : 0; d < static_cast<size_t>(rank); ++d) {
    if (input.sizes()[d] != 0) continue;
    invalid_argument(op, "input", "a tensor with elements, but for the size of a batch",
                     shape_text(input));
  }
}

PoolWindows pool_windows(const char* op, const TensorBase& input, int64_t spatial, Dims kernel_size,
                         const OptionalDims& stride, Dims padding, Dims dilation, bool ceil_mode) {
  check_pooled(op, input, spatial);
  const auto count = static_cast<size_t>(spatial);
  const DimVector kernels = window_argument(op, "kernel_size", kernel_size, count, 1, {});
  const DimVector strides = window_argument(op, "stride", stride, count, 1, kernels);
  const DimVector paddings = window_argument(op, "padding", padding, count, 0, DimVector{0});
  const DimVector dilations = window_argument(op, "dilation", dilation, count, 1, DimVector{1});
  PoolWindows result;
  const size_t lead = input.sizes().size() - count;
  for (size_t i = 0; i < count; ++i) {
    const Window window{kernels[i], strides[i], paddings[i], dilations[i]};
    if (window.padding > window.extent() / 2) {
      invalid_argument(op, "padding",
                       concat("at most half of the size of a window, ", window.extent(),
                              " (pad should be at most half of effective kernel size)"),
                       concat(window.padding));
    }
    result.size.push_back(count_windows(op, input.sizes()[lead + i], window, ceil_mode));
    for (int64_t number : {window.kernel, window.stride, window.padding, window.dilation}) {
      result.window.push_back(number);
    }
  }
  return result;
}

DimVector pooled_size(const char* op, const TensorBase& input, int64_t spatial,
                      const OptionalDims& output_size) {
  const auto count = static_cast<size_t>(spatial);
  const Dims sizes = input.sizes();
  const Dims given = output_size.values();
  if (given.size() != 1 && given.size() != count) {
    invalid_argument(op, "output_size", concat("one int, or ", count, " of them"),
                     output_size.given() ? to_string(given) : std::string("none"));
  }
  DimVector size = given.size() == count ? DimVector(given) : DimVector(count, given[0]);
  for (size_t i = 0; i < count; ++i) {
    if (size[i] == kSizeOfInput) size[i] = sizes[sizes.size() - count + i];
    if (size[i] < 0 || size[i] > kMostOfWindow) {
      invalid_argument(op, "output_size", "greater than or equal to 0, and less than 2^31",
                       to_string(given));
    }
  }
  return size;
}

PoolWindows adaptive_windows(const char* op, const TensorBase& input, int64_t spatial,
                             const OptionalDims& output_size) {
  check_pooled(op, input, spatial);
  for (int64_t size : input.sizes()) {
    if (size > kMostOfWindow) {
      invalid_argument(op, "input", "shorter than 2^31 in each dimension", shape_text(input));
    }
  }
  PoolWindows pool{pooled_size(op, input, spatial, output_size), {}};
  // Windows that share the input evenly are usual ones, which are faster.
  const Dims sizes = input.sizes();
  const size_t lead = sizes.size() - static_cast<size_t>(spatial);
  DimVector window;
  for (size_t d = 0; d < pool.size.size(); ++d) {
    const int64_t from = sizes[lead + d], to = pool.size[d];
    if (from == 0 || to == 0 || from % to != 0) return pool;
    for (int64_t number : {from / to, from / to, int64_t{0}, int64_t{1}}) window.push_back(number);
  }
  pool.window = window;
  return pool;
}

TensorBase as_planes(const TensorBase& tensor, int64_t spatial, CallSite at) {
  if (spatial == 1) return tensor;
  const Dims sizes = tensor.sizes();
  const size_t lead = sizes.size() - static_cast<size_t>(spatial);
  DimVector shape = Dims(sizes.data(), lead);
  int64_t elements = 1;
  for (size_t d = lead; d < sizes.size(); ++d) elements *= sizes[d];
  shape.push_back(elements);
  return reshape(tensor, shape, at);
}

}  // namespace eagre::ops
