// Batches of convolutions. Samples of the input alone are more images; samples of kernels, too, are
// groups of channels that have nothing to do with each other.
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/conv_forward.h>
#include <eagre/ops/conv_transpose.h>
#include <eagre/ops/conv_weight_grad.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/transpose.h>

namespace eagre::autograd::rules {
namespace {

// Dimensions `dim` and the next as one.
TensorBase merged(const TensorBase& tensor, size_t dim, CallSite at) {
  DimVector sizes = tensor.sizes();
  sizes[dim] *= sizes[dim + 1];
  sizes.erase(dim + 1);
  return ops::reshape(tensor, sizes, at);
}

// Dimension `dim` as two: samples and what each has of it.
TensorBase split(const BatchCall& call, const TensorBase& tensor, size_t dim, int64_t each,
                 CallSite at) {
  DimVector sizes;
  for (size_t d = 0; d < tensor.sizes().size(); ++d) {
    if (d == dim) sizes.push_back(call.size());
    sizes.push_back(d == dim ? each : tensor.sizes()[d]);
  }
  return ops::reshape(tensor, sizes, at);
}

// Images of all samples, with the channels of every sample next to each other.
TensorBase as_channels(const BatchCall& call, const TensorBase& images, CallSite at) {
  return merged(ops::transpose(call.every(images), 0, 1, at), 1, at);
}

// convolve(input, weight, bias, groups) of a batch, whose results have so many channels.
template <class F>
TensorBase batch_of(const BatchCall& call, const TensorBase& input, const TensorBase& weight,
                    const TensorBase& bias, int64_t groups, int64_t channels, CallSite at,
                    const F& convolve) {
  const bool has_bias = bias.defined();
  if (!call.is_batched(weight) && !(has_bias && call.is_batched(bias))) {
    const TensorBase images = merged(call.first(input), 0, at);
    const TensorBase result = convolve(images, weight, bias, groups);
    return call.result(split(call, result, 0, input.sizes()[0], at));
  }
  const TensorBase biases = has_bias ? merged(call.every(bias), 0, at) : bias;
  const TensorBase result =
      convolve(as_channels(call, input, at), merged(call.every(weight), 0, at), biases,
               groups * call.size());
  return call.result(ops::transpose(split(call, result, 1, channels, at), 0, 1, at));
}

}  // namespace

TensorBase conv_forward(const BatchCall& call, const TensorBase& input, const TensorBase& weight,
                        Dims stride, Dims padding, Dims dilation, int64_t groups, bool last,
                        const TensorBase& bias, CallSite at) {
  return batch_of(call, input, weight, bias, groups, weight.sizes()[0], at,
                  [&](const TensorBase& x, const TensorBase& w, const TensorBase& b, int64_t n) {
                    return ops::conv_forward(x, w, stride, padding, dilation, n, last, b, at);
                  });
}

TensorBase conv_transpose(const BatchCall& call, const TensorBase& input, const TensorBase& weight,
                          Dims stride, Dims padding, Dims output_padding, Dims dilation,
                          int64_t groups, bool last, const TensorBase& bias, CallSite at) {
  return batch_of(call, input, weight, bias, groups, weight.sizes()[1] * groups, at,
                  [&](const TensorBase& x, const TensorBase& w, const TensorBase& b, int64_t n) {
                    return ops::conv_transpose(x, w, stride, padding, output_padding, dilation, n,
                                               last, b, at);
                  });
}

TensorBase conv_weight_grad(const BatchCall& call, const TensorBase& grad, const TensorBase& input,
                            Dims size, Dims stride, Dims padding, Dims dilation, int64_t groups,
                            bool last, CallSite at) {
  DimVector sizes(size);
  sizes[0] *= call.size();
  const TensorBase result =
      ops::conv_weight_grad(as_channels(call, grad, at), as_channels(call, input, at), sizes,
                            stride, padding, dilation, groups * call.size(), last, at);
  return call.result(split(call, result, 0, size[0], at));
}

}  // namespace eagre::autograd::rules
