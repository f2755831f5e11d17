// batch_norm, instance_norm, group_norm and local_response_norm: checks, running statistics, and
// the gradients where they are differentiated again.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/addcmul.h>
#include <eagre/ops/batch_norm.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/channel_norm.h>
#include <eagre/ops/channel_norm_grad_input.h>
#include <eagre/ops/channel_norm_grad_weight.h>
#include <eagre/ops/channel_sums.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/conv_forward.h>
#include <eagre/ops/div.h>
#include <eagre/ops/full.h>
#include <eagre/ops/given_tensors.h>
#include <eagre/ops/group_norm.h>
#include <eagre/ops/in_format.h>
#include <eagre/ops/instance_norm.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/lerp.h>
#include <eagre/ops/local_response_norm.h>
#include <eagre/ops/mean.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/pow.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/rsqrt.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/with_gradient_format.h>

namespace eagre::ops {
namespace {

void check_channel_numbers(const char* op, const char* name, const TensorBase& numbers,
                           const TensorBase& input) {
  if (!numbers.defined()) return;
  const int64_t channels = input.sizes()[1];
  if (numbers.dim() == 1 && numbers.sizes()[0] == channels) return;
  invalid_argument(
      op, concat(name, " should contain ", channels, " elements not ", numbers.numel()), name,
      concat("a vector with a number for each of ", channels, " channels"), shape_text(numbers));
}

struct Parameters {
  const TensorBase& weight;
  const TensorBase& bias;

  void check(const char* op, const TensorBase& input, int64_t rank) const {
    if (input.dim() < rank) {
      invalid_argument(op,
                       concat("Expected at least ", rank,
                              " dimensions for input tensor but received ", input.dim()),
                       "input", concat("a tensor of at least ", rank, " dimensions, (N, C, …)"),
                       shape_text(input));
    }
    if (!is_floating_point(input.dtype())) {
      raise(ErrorKind::kType, ArgumentProblem{op, "input", "floating-point numbers",
                                              std::string(to_string(input.dtype()))});
    }
    check_channel_numbers(op, "weight", weight, input);
    check_channel_numbers(op, "bias", bias, input);
    check_devices(op, {{input, "input"}, {weight, "weight"}, {bias, "bias"}});
  }
};

// The numbers of channels beside a tensor (N, C, …).
TensorBase beside(const TensorBase& numbers, const TensorBase& input, CallSite at) {
  DimVector sizes;
  for (int64_t d = 0; d < input.dim(); ++d) sizes.push_back(1);
  sizes[1] = numbers.sizes()[0];
  return reshape(numbers, sizes, at);
}

void check_several(const char* op, const TensorBase& input, int64_t values,
                   const char* counted = "value per channel") {
  if (values != 1) return;
  invalid_argument(
      op,
      concat("Expected more than 1 ", counted, " when training, got input size ", input.sizes()),
      "input", "of several values for each deviation", "one");
}

// Dimensions that statistics are taken of, and the tensor as it must look for that.
struct Sets {
  DimVector shape, dims;

  Sets(const TensorBase& input, int64_t groups) {
    shape = input.sizes();
    if (groups == 0) {
      dims.push_back(0);
      for (int64_t d = 2; d < input.dim(); ++d) dims.push_back(d);
      return;
    }
    shape = DimVector({input.sizes()[0], groups, input.sizes()[1] / groups});
    dims.push_back(2);
    for (size_t d = 2; d < input.sizes().size(); ++d) {
      dims.push_back(static_cast<int64_t>(shape.size()));
      shape.push_back(input.sizes()[d]);
    }
  }
};

// With operators, so that it can be differentiated again.
struct Normalized {
  Sets sets;
  TensorBase rstd, value;  // of the shape that sets have

  Normalized(const TensorBase& input, int64_t groups, double eps, CallSite at)
      : sets(input, groups) {
    const TensorBase grouped = reshape(input, sets.shape, at);
    const TensorBase centered = sub(grouped, mean(grouped, Dims(sets.dims), true, {}, at), 1, at);
    const TensorBase spread = mean(mul(centered, centered, at), Dims(sets.dims), true, {}, at);
    rstd = rsqrt(add(spread, eps, 1, at), at);
    value = mul(centered, rstd, at);
  }
};

TensorBase scaled(TensorBase value, const Parameters& parameters, CallSite at) {
  if (parameters.weight.defined()) {
    value = mul(value, beside(parameters.weight, value, at), at);
  }
  if (parameters.bias.defined()) value = add(value, beside(parameters.bias, value, at), 1, at);
  return value;
}

// What is normalized, with its statistics where there are kernels.
std::array<TensorBase, 3> normalized(const TensorBase& input, const Parameters& parameters,
                                     int64_t groups, double eps, bool last, CallSite at) {
  if (autograd::are_transformed(input, parameters.weight, parameters.bias)) {
    const Normalized result(input, groups, eps, at);
    const TensorBase value = scaled(reshape(result.value, input.sizes(), at), parameters, at);
    return {last ? in_format(value, true, at) : value, TensorBase(), TensorBase()};
  }
  auto [value, mean, variance] =
      channel_norm(input, parameters.weight, parameters.bias, groups, eps, last, at);
  return {value, mean, variance};
}

// Running statistics go from where they are towards `value` by `momentum`.
void move_towards(const TensorBase& running, const TensorBase& value, double momentum,
                  CallSite at) {
  if (!running.defined()) return;
  NoGradGuard guard;
  lerp_(running, cast(value, running.dtype(), at), momentum, at);
}

struct Running {
  const TensorBase& mean;
  const TensorBase& variance;

  void check(const char* op, const TensorBase& input) const {
    check_channel_numbers(op, "running_mean", mean, input);
    check_channel_numbers(op, "running_var", variance, input);
    check_devices(op, {{input, "input"}, {mean, "running_mean"}, {variance, "running_var"}});
  }
  bool any() const { return mean.defined() || variance.defined(); }
  void move(const TensorBase& means, const TensorBase& variances, double momentum,
            CallSite at) const {
    move_towards(mean, means, momentum, at);
    move_towards(variance, variances, momentum, at);
  }
};

// Statistics by operators: mean and variance of each set, without history.
std::pair<TensorBase, TensorBase> statistics(const TensorBase& input, int64_t groups, CallSite at) {
  NoGradGuard guard;
  const Sets sets(input, groups);
  const TensorBase grouped = reshape(input, sets.shape, at);
  const TensorBase center = mean(grouped, Dims(sets.dims), true, {}, at);
  const TensorBase distance = sub(grouped, center, 1, at);
  const TensorBase spread = mean(mul(distance, distance, at), Dims(sets.dims), false, {}, at);
  return {reshape(center, spread.sizes(), at), spread};
}

// PyTorch asks batch_norm for nothing but that: the one image of `image[None]` has no stride.
bool lies_last(const TensorBase& input) {
  return is_channels_last(input.sizes(), input.strides()) ||
         suggests_channels_last(input.sizes(), input.strides());
}

// The input, whose gradient lies as it does itself.
TensorBase with_own_gradient(const TensorBase& input, bool last, CallSite at) {
  if (!autograd::should_record(input)) return input;
  return with_gradient_format(input, input.sizes(), last, at);
}

TensorBase with_running(const char* op, const TensorBase& input, const Parameters& parameters,
                        const Running& running, double eps, std::string_view known, CallSite at) {
  if (!running.mean.defined() || !running.variance.defined()) {
    const char* missing = running.mean.defined() ? "running_var" : "running_mean";
    invalid_argument(
        op,
        known.empty() ? concat(missing, " must be defined in evaluation mode") : std::string(known),
        missing, "a tensor outside of training", "None");
  }
  // input · factor + shift, in one pass over the input.
  TensorBase factor = rsqrt(add(running.variance, eps, 1, at), at);
  if (parameters.weight.defined()) factor = mul(factor, parameters.weight, at);
  const TensorBase moved = mul(running.mean, factor, at);
  const TensorBase shift =
      parameters.bias.defined() ? sub(parameters.bias, moved, 1, at) : neg(moved, at);
  const TensorBase result =
      addcmul(beside(shift, input, at), input, beside(factor, input, at), 1, at);
  return result.dtype() == input.dtype() ? result : cast(result, input.dtype(), at);
}

int64_t values_per_channel(const TensorBase& input, int64_t groups) {
  int64_t count = groups == 0 ? input.sizes()[0] : input.sizes()[1] / groups;
  for (size_t d = 2; d < input.sizes().size(); ++d) count *= input.sizes()[d];
  return count;
}

}  // namespace

TensorBase batch_norm(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                      const TensorBase& running_mean, const TensorBase& running_var, bool training,
                      double momentum, double eps, bool, CallSite at) {
  constexpr const char* kOp = "batch_norm";
  const Parameters parameters{weight, bias};
  const Running running{running_mean, running_var};
  if (input.numel() == 0 && input.dim() < 2) return clone(input, at);
  parameters.check(kOp, input, 2);
  running.check(kOp, input);
  const bool last = !input.get().is_contiguous() && lies_last(input);
  if (!training) {
    const TensorBase source = with_own_gradient(input, last, at);
    return with_running(kOp, source, parameters, running, eps, {}, at);
  }
  const int64_t count = values_per_channel(input, 0);
  check_several(kOp, input, count);
  auto [result, mean, variance] = normalized(input, parameters, 0, eps, last, at);
  if (running.any() && count > 0) {
    if (!mean.defined()) std::tie(mean, variance) = statistics(input, 0, at);
    // The variance of all data, as a batch tells it.
    const double unbiased = static_cast<double>(count) / static_cast<double>(count - 1);
    running.move(mean, mul(variance, unbiased, at), momentum, at);
  }
  return result;
}

TensorBase instance_norm(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                         const TensorBase& running_mean, const TensorBase& running_var,
                         bool use_input_stats, double momentum, double eps, bool, CallSite at) {
  constexpr const char* kOp = "instance_norm";
  const Parameters parameters{weight, bias};
  const Running running{running_mean, running_var};
  parameters.check(kOp, input, 2);
  running.check(kOp, input);
  if (!use_input_stats) {  // as in PyTorch, channels are never last
    const TensorBase rows = in_format(with_own_gradient(input, false, at), false, at);
    return with_running(
        kOp, rows, parameters, running, eps,
        "Expected running_mean and running_var to be defined when use_input_stats is false", at);
  }
  const int64_t channels = input.sizes()[1];
  if (channels == 0) return input;
  const int64_t count = values_per_channel(input, channels);
  check_several(kOp, input, count, "spatial element");
  auto [result, mean_of_each, variance] = normalized(input, parameters, channels, eps, false, at);
  if (running.any() && count > 0 && input.sizes()[0] > 0) {
    if (!mean_of_each.defined()) std::tie(mean_of_each, variance) = statistics(input, channels, at);
    const double unbiased = static_cast<double>(count) / static_cast<double>(count - 1);
    const int64_t images[] = {0};
    const Dims over(images, 1);
    running.move(mean(mean_of_each, over, false, {}, at),
                 mul(mean(variance, over, false, {}, at), unbiased, at), momentum, at);
  }
  return result;
}

TensorBase group_norm(const TensorBase& input, int64_t num_groups, const TensorBase& weight,
                      const TensorBase& bias, double eps, bool, CallSite at) {
  constexpr const char* kOp = "group_norm";
  const Parameters parameters{weight, bias};
  parameters.check(kOp, input, 2);
  if (num_groups <= 0) {
    invalid_argument(kOp, concat("Expected num groups to be greater than 0, got ", num_groups),
                     "num_groups", "a positive number", concat(num_groups));
  }
  if (input.sizes()[1] == 0) {
    invalid_argument(kOp, "Expected number of channels to be greater than 0, got 0", "input",
                     "a tensor with channels", shape_text(input));
  }
  for (int64_t d = 2; d < input.dim(); ++d) {
    if (input.sizes()[static_cast<size_t>(d)] != 0) continue;
    invalid_argument(kOp, "Expected HxW to be greater than 0, got 0", "input",
                     "a tensor with elements in each channel", shape_text(input));
  }
  if (input.sizes()[1] % num_groups != 0) {
    invalid_argument(kOp,
                     concat("Expected number of channels in input to be divisible by num_groups, "
                            "but got input of shape ",
                            input.sizes(), " and num_groups=", num_groups),
                     "num_groups",
                     concat("a number that divides ", input.sizes()[1], ", the number of channels"),
                     concat(num_groups));
  }
  check_several(kOp, input, values_per_channel(input, num_groups) * input.sizes()[0]);
  const bool last = suggests_channels_last(input.sizes(), input.strides());
  return normalized(input, parameters, num_groups, eps, last, at)[0];
}

TensorBase local_response_norm(const TensorBase& input, int64_t size, double alpha, double beta,
                               double k, CallSite at) {
  constexpr const char* kOp = "local_response_norm";
  if (input.dim() < 3) {
    invalid_argument(
        kOp,
        concat("Expected 3D or higher dimensionality input (got ", input.dim(), " dimensions)"),
        "input", "a tensor (N, C, …) with at least 3 dimensions", shape_text(input));
  }
  if (size <= 0) invalid_argument(kOp, "size", "a positive number", concat(size));
  if (input.numel() == 0) return input;
  const int64_t images = input.sizes()[0], channels = input.sizes()[1];
  const int64_t before = std::min(size / 2, channels), behind = std::min((size - 1) / 2, channels);
  const DimVector columns({images, 1, channels, input.numel() / (images * channels)});
  const DimVector window({1, 1, before + behind + 1, 1});
  const auto options = TensorOptions(input.dtype()).device(input.device());
  const TensorBase squares = reshape(mul(input, input, at), columns, at);
  const int64_t one[] = {1}, padding[] = {before, 0};
  const Dims ones(one, 1);
  TensorBase sums = conv_forward(squares, full(window, 1, options, at), ones, Dims(padding, 2),
                                 ones, 1, false, {}, at);
  sums = reshape(narrow(sums, 2, 0, channels, at), input.sizes(), at);
  const TensorBase level = add(mul(sums, alpha / static_cast<double>(size), at), k, 1, at);
  return div(input, pow(level, beta, at), at);
}

TensorBase channel_norm_grad_input(const TensorBase& g, const TensorBase& input,
                                   const TensorBase& weight, int64_t groups, double eps, bool last,
                                   CallSite at) {
  const TensorBase source = with_gradient_format(input, input.sizes(), last, at);
  const Normalized normal(source, groups, eps, at);
  const Dims dims = normal.sets.dims;
  TensorBase whole = in_format(g, last, at);
  if (weight.defined()) whole = mul(whole, beside(weight, g, at), at);
  const TensorBase grad = reshape(whole, normal.sets.shape, at);
  const TensorBase slope = mean(mul(grad, normal.value, at), dims, true, {}, at);
  const TensorBase flat = sub(grad, mean(grad, dims, true, {}, at), 1, at);
  const TensorBase result = mul(normal.rstd, sub(flat, mul(normal.value, slope, at), 1, at), at);
  return in_format(reshape(result, input.sizes(), at), last, at);
}

TensorBase channel_norm_grad_weight(const TensorBase& g, const TensorBase& input, int64_t groups,
                                    double eps, CallSite at) {
  const Normalized normal(input, groups, eps, at);
  return channel_sums(mul(g, reshape(normal.value, input.sizes(), at), at), at);
}

TensorBase channel_sums(const TensorBase& input, CallSite at) {
  DimVector dims({0});
  for (int64_t d = 2; d < input.dim(); ++d) dims.push_back(d);
  return sum(input, Dims(dims), false, {}, at);
}

}  // namespace eagre::ops
