// Shapes of convolutions, and the checks of their arguments.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/window.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

// Stride, padding and dilation of each spatial dimension.
struct Windows {
  DimVector stride, padding, dilation;

  Windows(const char* op, int64_t rank, Dims strides, Dims paddings, Dims dilations) {
    const auto count = static_cast<size_t>(rank);
    stride = window_argument(op, "stride", strides, count, 1, Dims());
    padding = window_argument(op, "padding", paddings, count, 0, Dims());
    dilation = window_argument(op, "dilation", dilations, count, 1, Dims());
  }
  Window at(size_t axis, int64_t kernel) const {
    return {kernel, stride[axis], padding[axis], dilation[axis]};
  }
};

struct Arguments {
  const char* op;
  const TensorImpl& input;
  const TensorImpl& weight;
  const TensorBase& bias;
  int64_t groups;
  bool transposed;

  int64_t rank() const { return weight.key.rank - 2; }
  int64_t channels() const { return transposed ? weight.sizes()[1] * groups : weight.sizes()[0]; }

  [[noreturn]] void refuse(const char* argument, std::string expected, std::string got) const {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument, std::move(expected), std::move(got)});
  }
  // Behind words that people know from PyTorch.
  [[noreturn]] void refuse(const std::string& known, const char* argument,
                           const std::string& expected, const std::string& got) const {
    raise(ErrorKind::kInvalidArgument, concat(op, "(): ", known, ": argument '", argument,
                                              "' must be ", expected, ", but got ", got));
  }

  void check() const {
    if (rank() < 1 || rank() > 3) {
      refuse("weight", "kernels of 1, 2 or 3 spatial dimensions behind two of channels",
             concat("shape ", weight.sizes()));
    }
    if (input.key.rank != weight.key.rank) {
      refuse("input",
             concat("a tensor of ", weight.key.rank, " dimensions, as 'weight' of shape ",
                    weight.sizes()),
             concat("shape ", input.sizes()));
    }
    if (groups <= 0) refuse("groups", "a positive number", std::to_string(groups));
    check_channels();
    for (size_t d = 2; d < weight.sizes().size(); ++d) {
      if (weight.sizes()[d] == 0 || weight.sizes()[d] > kMostOfWindow) {
        refuse("weight", "kernels with at least one element, and less than 2^31 along a dimension",
               concat("shape ", weight.sizes()));
      }
      if (input.sizes()[d] > kMostUnderWindow) {
        refuse("input", "at most 2^48 elements long in each dimension",
               concat("shape ", input.sizes()));
      }
    }
  }

  void check_channels() const {
    const int64_t given = input.sizes()[1];
    if (weight.sizes()[0] % groups != 0 || weight.sizes()[0] == 0) {
      refuse(concat("Given groups=", groups, ", expected weight to be divisible by ", groups,
                    " at dimension 0"),
             "weight", concat("of a first size that ", groups, " divides"),
             concat("shape ", weight.sizes()));
    }
    const int64_t wanted =
        transposed ? weight.sizes()[0] : checked_numel(op, {weight.sizes()[1], groups});
    if (given != wanted) {
      refuse(concat("Given ", transposed ? "transposed=1" : concat("groups=", groups),
                    ", weight of size ", weight.sizes(), ", expected input", input.sizes(),
                    " to have ", wanted, " channels, but got ", given, " channels instead"),
             "input", concat("a tensor of ", wanted, " channels"), concat(given, " of them"));
    }
    if (transposed) checked_numel(op, {weight.sizes()[1], groups});
    if (bias.defined() && (bias.dim() != 1 || bias.sizes()[0] != channels())) {
      refuse(concat("Given weight of size ", weight.sizes(),
                    ", expected bias to be 1-dimensional with ", channels(), " elements"),
             "bias", concat("a number for each of ", channels(), " channels"),
             concat("shape ", bias.sizes()));
    }
  }
};

// Sizes of spatial dimensions, as "4 x 4".
std::string joined(const DimVector& sizes) {
  std::string text;
  for (int64_t size : sizes) text += concat(text.empty() ? "" : " x ", size);
  return text;
}

}  // namespace

DimVector conv_forward(const char* op, const TensorImpl& input, const TensorImpl& weight,
                       const TensorBase& bias, Dims stride, Dims padding, Dims dilation,
                       int64_t groups) {
  const Arguments arguments{op, input, weight, bias, groups, false};
  arguments.check();
  const int64_t rank = arguments.rank();
  const Windows windows(op, rank, stride, padding, dilation);
  DimVector sizes({input.sizes()[0], arguments.channels()}), padded, reached;
  bool fits = true;
  for (size_t axis = 0; axis < static_cast<size_t>(rank); ++axis) {
    const Window window = windows.at(axis, weight.sizes()[axis + 2]);
    padded.push_back(input.sizes()[axis + 2] + 2 * window.padding);
    reached.push_back(window.extent());
    fits = fits && reached.back() <= padded.back();
    sizes.push_back((padded.back() - reached.back()) / window.stride + 1);
  }
  if (!fits) {
    const std::string kernel = concat("(", joined(reached), ")");
    arguments.refuse(
        concat("Calculated padded input size per channel: (", joined(padded),
               "). Kernel size: ", kernel, ". Kernel size can't be greater than actual input size"),
        "weight", "a kernel that is not larger than the padded input", concat("one over ", kernel));
  }
  checked_numel(op, sizes);
  return sizes;
}

DimVector conv_transpose(const char* op, const TensorImpl& input, const TensorImpl& weight,
                         const TensorBase& bias, Dims stride, Dims padding, Dims output_padding,
                         Dims dilation, int64_t groups) {
  const Arguments arguments{op, input, weight, bias, groups, true};
  arguments.check();
  const int64_t rank = arguments.rank();
  const Windows windows(op, rank, stride, padding, dilation);
  const DimVector more =
      window_argument(op, "output_padding", output_padding, static_cast<size_t>(rank), 0, Dims());
  DimVector sizes({input.sizes()[0], arguments.channels()});
  for (size_t axis = 0; axis < static_cast<size_t>(rank); ++axis) {
    const Window window = windows.at(axis, weight.sizes()[axis + 2]);
    if (more[axis] >= window.stride && more[axis] >= window.dilation) {
      arguments.refuse(
          "output padding must be smaller than either stride or dilation", "output_padding",
          concat("less than stride ", to_string(stride), " or dilation ", to_string(dilation)),
          to_string(output_padding));
    }
    int64_t reached = 0;
    if (__builtin_mul_overflow(input.sizes()[axis + 2] - 1, window.stride, &reached) ||
        reached > kMostUnderWindow) {
      arguments.refuse("stride", "a result of at most 2^48 places in each dimension",
                       concat(to_string(stride), " for an input of shape ", input.sizes()));
    }
    const int64_t result = reached - 2 * window.padding + window.extent() + more[axis];
    if (result < 0) {
      arguments.refuse("padding", "a result whose sizes are not negative",
                       concat(result, " in dimension ", axis + 2,
                              " (Given input size per channel: ", input.sizes(),
                              ", the calculated output size is too small)"));
    }
    sizes.push_back(result);
  }
  checked_numel(op, sizes);
  return sizes;
}

}  // namespace eagre::dispatch::meta
