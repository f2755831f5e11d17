// Gradients of convolutions for inputs and weights of a given size, checked.
#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/window.h>
#include <eagre/ops/conv1d_input.h>
#include <eagre/ops/conv1d_weight.h>
#include <eagre/ops/conv2d_input.h>
#include <eagre/ops/conv2d_weight.h>
#include <eagre/ops/conv3d_input.h>
#include <eagre/ops/conv3d_weight.h>
#include <eagre/ops/conv_input_grad.h>
#include <eagre/ops/conv_weight_grad.h>
#include <eagre/ops/invalid_argument.h>

namespace eagre::ops {
namespace {

struct Call {
  const char* op;
  size_t spatial;
  DimVector stride, padding, dilation;
  int64_t groups;

  Call(const char* name, size_t axes, Dims steps, Dims borders, Dims distances, int64_t group_count)
      : op(name),
        spatial(axes),
        stride(window_argument(name, "stride", steps, axes, 1, {})),
        padding(window_argument(name, "padding", borders, axes, 0, {})),
        dilation(window_argument(name, "dilation", distances, axes, 1, {})),
        groups(group_count) {
    if (groups >= 1 && groups <= kMostOfWindow) return;
    invalid_argument(op, "groups", "a positive number, less than 2^31", concat(groups));
  }

  // Are these the sizes of an input, a weight and their convolution?
  void check(const char* argument, Dims input, Dims weight, Dims result) const {
    for (Dims sizes : {input, weight, result}) {
      if (sizes.size() == spatial + 2) continue;
      invalid_argument(op, argument,
                       concat("one of ", spatial + 2, "-dimensional sizes, as the tensors"),
                       concat(input, ", ", weight, " and ", result));
    }
    checked_numel(op, input);
    checked_numel(op, weight);
    bool fits = result[0] == input[0] && result[1] == weight[0] && weight[0] % groups == 0 &&
                input[1] == (weight[1] > kMostOfWindow ? 0 : weight[1]) * groups;
    for (size_t d = 0; fits && d < spatial; ++d) {
      const int64_t size = input[d + 2], kernel = weight[d + 2];
      fits = size >= 0 && size <= kMostUnderWindow && kernel >= 1 && kernel <= kMostOfWindow;
      if (!fits) break;
      const Window window{kernel, stride[d], padding[d], dilation[d]};
      fits = size + 2 * padding[d] >= window.extent() &&
             count_windows(op, size, window, false) == result[d + 2];
    }
    if (fits) return;
    invalid_argument(op, argument, "such that the convolution has the shape of 'grad_output'",
                     concat("input ", input, ", weight ", weight, ", gradient ", result));
  }
};

bool are_last(const TensorBase& tensor) {
  return suggests_channels_last(tensor.sizes(), tensor.strides());
}

TensorBase of_input(const Call& call, Dims input_size, const TensorBase& weight,
                    const TensorBase& grad_output, CallSite at) {
  call.check("input_size", input_size, weight.get(call.op, "weight").sizes(),
             grad_output.get(call.op, "grad_output").sizes());
  return conv_input_grad(grad_output, weight, input_size, call.stride, call.padding, call.dilation,
                         call.groups, are_last(weight), at);
}

TensorBase of_weight(const Call& call, const TensorBase& input, Dims weight_size,
                     const TensorBase& grad_output, CallSite at) {
  call.check("weight_size", input.get(call.op, "input").sizes(), weight_size,
             grad_output.get(call.op, "grad_output").sizes());
  return conv_weight_grad(grad_output, input, weight_size, call.stride, call.padding, call.dilation,
                          call.groups, are_last(input), at);
}

}  // namespace

TensorBase conv1d_input(Dims input_size, const TensorBase& weight, const TensorBase& grad_output,
                        Dims stride, Dims padding, Dims dilation, int64_t groups, CallSite at) {
  const Call call("conv1d_input", 1, stride, padding, dilation, groups);
  return of_input(call, input_size, weight, grad_output, at);
}

TensorBase conv1d_weight(const TensorBase& input, Dims weight_size, const TensorBase& grad_output,
                         Dims stride, Dims padding, Dims dilation, int64_t groups, CallSite at) {
  const Call call("conv1d_weight", 1, stride, padding, dilation, groups);
  return of_weight(call, input, weight_size, grad_output, at);
}

TensorBase conv2d_input(Dims input_size, const TensorBase& weight, const TensorBase& grad_output,
                        Dims stride, Dims padding, Dims dilation, int64_t groups, CallSite at) {
  const Call call("conv2d_input", 2, stride, padding, dilation, groups);
  return of_input(call, input_size, weight, grad_output, at);
}

TensorBase conv2d_weight(const TensorBase& input, Dims weight_size, const TensorBase& grad_output,
                         Dims stride, Dims padding, Dims dilation, int64_t groups, CallSite at) {
  const Call call("conv2d_weight", 2, stride, padding, dilation, groups);
  return of_weight(call, input, weight_size, grad_output, at);
}

TensorBase conv3d_input(Dims input_size, const TensorBase& weight, const TensorBase& grad_output,
                        Dims stride, Dims padding, Dims dilation, int64_t groups, CallSite at) {
  const Call call("conv3d_input", 3, stride, padding, dilation, groups);
  return of_input(call, input_size, weight, grad_output, at);
}

TensorBase conv3d_weight(const TensorBase& input, Dims weight_size, const TensorBase& grad_output,
                         Dims stride, Dims padding, Dims dilation, int64_t groups, CallSite at) {
  const Call call("conv3d_weight", 3, stride, padding, dilation, groups);
  return of_weight(call, input, weight_size, grad_output, at);
}

}  // namespace eagre::ops
