// Shapes of convolutions, and the checks of their arguments.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

// Sizes and distances stay below this, so that sums of a few of them do not overflow.
constexpr int64_t kMost = int64_t{1} << 60;

// What is checked of an argument: one number, or one for each spatial dimension.
void check_list(const char* op, const char* argument, Dims list, int64_t rank, int64_t least) {
  if (static_cast<int64_t>(list.size()) != rank && list.size() != 1) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument,
                          concat("one number, or one for each of ", rank, " dimensions"),
                          to_string(list)});
  }
  for (const int64_t value : list) {
    if (value >= least && value <= kMost) continue;
    const char* wanted = least > 0 ? "positive numbers" : "numbers that are not negative";
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument, value < least ? wanted : "numbers up to 2^60",
                          to_string(list)});
  }
}

int64_t at(Dims list, size_t axis) { return list.size() == 1 ? list[0] : list[axis]; }

// How many places a kernel reaches over.
int64_t extent(const char* op, int64_t kernel, int64_t dilation) {
  int64_t result = 0;
  if (__builtin_mul_overflow(kernel - 1, dilation, &result) || result >= kMost) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "dilation", "a kernel that reaches over less than 2^60 places",
                          concat("dilation ", dilation, " of ", kernel, " elements")});
  }
  return result + 1;
}

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
      if (weight.sizes()[d] == 0) {
        refuse("weight", "kernels with at least one element", concat("shape ", weight.sizes()));
      }
    }
  }

  void check_channels() const {
    const int64_t given = input.sizes()[1];
    if (weight.sizes()[0] % groups != 0 || weight.sizes()[0] == 0) {
      refuse("weight", concat("a first size that groups=", groups, " divides"),
             concat("shape ", weight.sizes()));
    }
    const int64_t wanted =
        transposed ? weight.sizes()[0] : checked_numel(op, {weight.sizes()[1], groups});
    if (given != wanted) {
      refuse("input",
             concat("to have ", wanted, " channels, given groups=", groups, " and weight of size ",
                    weight.sizes()),
             concat(given, " channels instead, in shape ", input.sizes()));
    }
    if (transposed) checked_numel(op, {weight.sizes()[1], groups});
    if (bias.defined() && (bias.dim() != 1 || bias.sizes()[0] != channels())) {
      refuse("bias", concat("one number for each of ", channels(), " channels"),
             concat("shape ", bias.sizes()));
    }
  }
};

}  // namespace

DimVector conv_forward(const char* op, const TensorImpl& input, const TensorImpl& weight,
                       const TensorBase& bias, Dims stride, Dims padding, Dims dilation,
                       int64_t groups) {
  const Arguments arguments{op, input, weight, bias, groups, false};
  arguments.check();
  const int64_t rank = arguments.rank();
  check_list(op, "stride", stride, rank, 1);
  check_list(op, "padding", padding, rank, 0);
  check_list(op, "dilation", dilation, rank, 1);
  DimVector sizes({input.sizes()[0], arguments.channels()});
  for (size_t axis = 0; axis < static_cast<size_t>(rank); ++axis) {
    const int64_t kernel = weight.sizes()[axis + 2], size = input.sizes()[axis + 2];
    const int64_t reach = extent(op, kernel, at(dilation, axis));
    const int64_t padded = size < kMost ? size + 2 * at(padding, axis) : kMost;
    if (reach > padded || padded >= 4 * kMost) {
      arguments.refuse(
          "weight", concat("a kernel size that is not greater than the padded input"),
          concat("Kernel size can't be greater than actual input size: a kernel that reaches over ",
                 reach, " places in dimension ", axis + 2, " of an input with ", padded));
    }
    sizes.push_back((padded - reach) / at(stride, axis) + 1);
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
  check_list(op, "stride", stride, rank, 1);
  check_list(op, "padding", padding, rank, 0);
  check_list(op, "output_padding", output_padding, rank, 0);
  check_list(op, "dilation", dilation, rank, 1);
  DimVector sizes({input.sizes()[0], arguments.channels()});
  for (size_t axis = 0; axis < static_cast<size_t>(rank); ++axis) {
    const int64_t step = at(stride, axis), spread = at(dilation, axis);
    const int64_t more = at(output_padding, axis), size = input.sizes()[axis + 2];
    if (more >= step && more >= spread) {
      arguments.refuse("output_padding",
                       "output padding must be smaller than either stride or dilation",
                       concat(to_string(output_padding), " beside stride ", to_string(stride),
                              " and dilation ", to_string(dilation)));
    }
    int64_t reached = 0;
    const int64_t reach = extent(op, weight.sizes()[axis + 2], spread);
    if (__builtin_mul_overflow(size - 1, step, &reached) || reached >= kMost) {
      arguments.refuse("stride", "a result of less than 2^60 places in each dimension",
                       concat(to_string(stride), " for an input of shape ", input.sizes()));
    }
    const int64_t result = reached - 2 * at(padding, axis) + reach + more;
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
