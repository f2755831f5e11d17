// Convolutions by the names that users call: one image or many, words for the padding, complex
// numbers; and the gradients for inputs of a given size.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/complex.h>
#include <eagre/ops/contiguous.h>
#include <eagre/ops/conv1d.h>
#include <eagre/ops/conv1d_padding.h>
#include <eagre/ops/conv2d.h>
#include <eagre/ops/conv2d_padding.h>
#include <eagre/ops/conv3d.h>
#include <eagre/ops/conv3d_padding.h>
#include <eagre/ops/conv_bias.h>
#include <eagre/ops/conv_forward.h>
#include <eagre/ops/conv_input_grad.h>
#include <eagre/ops/conv_tbc.h>
#include <eagre/ops/conv_transpose.h>
#include <eagre/ops/conv_transpose1d.h>
#include <eagre/ops/conv_transpose2d.h>
#include <eagre/ops/conv_transpose3d.h>
#include <eagre/ops/conv_transpose_grad.h>
#include <eagre/ops/convolution.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/imag.h>
#include <eagre/ops/in_format.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/real.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

int64_t at(Dims list, size_t axis) { return list.size() == 1 ? list[0] : list[axis]; }

// f(input, weight, bias), which is linear in each, for complex tensors: by their parts.
template <class F>
TensorBase by_parts(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                    bool last, CallSite at, const F& f) {
  if (!is_complex(input.dtype()) || !is_complex(weight.dtype())) return f(input, weight, bias);
  const TensorBase a = real(input, at), b = imag(input, at);
  const TensorBase c = real(weight, at), d = imag(weight, at);
  TensorBase real_bias, imag_bias;
  if (bias.defined() && is_complex(bias.dtype())) {
    real_bias = real(bias, at);
    imag_bias = imag(bias, at);
  } else {
    real_bias = bias;
  }
  const TensorBase none;
  const TensorBase result = complex(sub(f(a, c, real_bias), f(b, d, none), 1, at),
                                    add(f(a, d, imag_bias), f(b, c, none), 1, at), at);
  return last ? in_format(result, true, at) : result;
}

struct Window {
  Dims stride, padding, dilation;
  int64_t groups;
};

// f(batch) of an input with so many spatial dimensions, or of one without a batch.
template <class F>
TensorBase batched(const char* op, const TensorBase& input, int64_t rank, CallSite at, const F& f) {
  const int64_t given = input.dim();
  if (given == rank + 2) return f(input);
  if (given == rank + 1) return squeeze(f(unsqueeze(input, 0, at)), 0, at);
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): Expected ", rank + 1, "D (unbatched) or ", rank + 2,
               "D (batched) input to ", op, ", but got input of size: ", input.sizes(),
               ". Hint: reshape argument 'input' to (batch, channels, ", rank,
               rank == 1 ? " size)" : " sizes)"));
}

void check_weight(const char* op, const TensorBase& weight, int64_t rank) {
  if (weight.dim() == rank + 2) return;
  invalid_argument(op, "weight", concat("a tensor of ", rank + 2, " dimensions"),
                   shape_text(weight));
}

// Does the convolution of these have channels last? It does if one of them comes so, as in PyTorch.
bool are_last(const TensorBase& input, const TensorBase& weight) {
  if (input.dim() < 4 || input.numel() == 0) return false;
  return suggests_channels_last(input.sizes(), input.strides()) ||
         suggests_channels_last(weight.sizes(), weight.strides());
}

TensorBase convolve(const char* op, int64_t rank, const TensorBase& input, const TensorBase& weight,
                    const TensorBase& bias, const Window& window, CallSite at) {
  check_weight(op, weight, rank);
  return batched(op, input, rank, at, [&](const TensorBase& images) {
    const bool last = are_last(images, weight);
    return by_parts(images, weight, bias, last, at,
                    [&](const TensorBase& x, const TensorBase& w, const TensorBase& b) {
                      return conv_forward(x, w, window.stride, window.padding, window.dilation,
                                          window.groups, last, b, at);
                    });
  });
}

// With as much padding as keeps sizes. Where that is odd, more is put behind than in front: with
// the larger one on both sides, the first result is one too many.
TensorBase convolve_same(const char* op, int64_t rank, const TensorBase& input,
                         const TensorBase& weight, const TensorBase& bias, const Window& window,
                         CallSite site) {
  check_weight(op, weight, rank);
  for (const int64_t stride : window.stride) {
    if (stride == 1) continue;
    invalid_argument(op, "padding='same' is not supported for strided convolutions", "padding",
                     concat("'valid' or numbers beside a stride of ", stride), "'same'");
  }
  const auto axes = static_cast<size_t>(rank);
  if (window.dilation.size() != 1 && window.dilation.size() != axes) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "dilation",
                          concat("one number, or one for each of ", rank, " dimensions"),
                          to_string(window.dilation)});
  }
  DimVector padding;
  uint64_t uneven = 0;
  for (size_t axis = 0; axis < axes; ++axis) {
    int64_t total = 0;
    const int64_t kernel = weight.sizes()[axis + 2];
    if (__builtin_mul_overflow(kernel - 1, at(window.dilation, axis), &total)) total = -1;
    if (total % 2 != 0) uneven |= uint64_t{1} << axis;
    padding.push_back(total < 0 ? 0 : total / 2 + total % 2);
  }
  const Window padded{window.stride, padding, window.dilation, window.groups};
  return batched(op, input, rank, site, [&](const TensorBase& images) {
    TensorBase result = convolve(op, rank, images, weight, bias, padded, site);
    if (uneven == 0) return result;
    for (int64_t axis = 0; axis < rank; ++axis) {
      if ((uneven >> axis & 1) == 0) continue;
      const int64_t size = result.sizes()[static_cast<size_t>(axis + 2)];
      result = narrow(result, axis + 2, 1, size - 1, site);
    }
    return in_format(result, are_last(images, weight), site);
  });
}

TensorBase convolve_padded(const char* op, int64_t rank, const TensorBase& input,
                           const TensorBase& weight, const TensorBase& bias, Dims stride,
                           std::string_view padding, Dims dilation, int64_t groups, CallSite at) {
  constexpr int64_t kNone[] = {0};
  const Window window{stride, Dims(kNone, 1), dilation, groups};
  if (padding == "valid") return convolve(op, rank, input, weight, bias, window, at);
  if (padding == "same") return convolve_same(op, rank, input, weight, bias, window, at);
  const std::string given = concat("'", padding, "'");
  invalid_argument(op, concat("Invalid padding string: ", given), "padding",
                   "'valid' or 'same', or numbers", given);
}

TensorBase transpose_convolve(const char* op, int64_t rank, const TensorBase& input,
                              const TensorBase& weight, const TensorBase& bias,
                              const Window& window, Dims output_padding, CallSite at) {
  check_weight(op, weight, rank);
  return batched(op, input, rank, at, [&](const TensorBase& images) {
    const bool last = are_last(images, weight);
    return by_parts(images, weight, bias, last, at,
                    [&](const TensorBase& x, const TensorBase& w, const TensorBase& b) {
                      return conv_transpose(x, w, window.stride, window.padding, output_padding,
                                            window.dilation, window.groups, last, b, at);
                    });
  });
}

}  // namespace

TensorBase conv1d(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                  Dims stride, Dims padding, Dims dilation, int64_t groups, CallSite at) {
  return convolve("conv1d", 1, input, weight, bias, {stride, padding, dilation, groups}, at);
}
TensorBase conv2d(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                  Dims stride, Dims padding, Dims dilation, int64_t groups, CallSite at) {
  return convolve("conv2d", 2, input, weight, bias, {stride, padding, dilation, groups}, at);
}
TensorBase conv3d(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                  Dims stride, Dims padding, Dims dilation, int64_t groups, CallSite at) {
  return convolve("conv3d", 3, input, weight, bias, {stride, padding, dilation, groups}, at);
}

TensorBase conv1d_padding(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                          Dims stride, std::string_view padding, Dims dilation, int64_t groups,
                          CallSite at) {
  return convolve_padded("conv1d", 1, input, weight, bias, stride, padding, dilation, groups, at);
}
TensorBase conv2d_padding(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                          Dims stride, std::string_view padding, Dims dilation, int64_t groups,
                          CallSite at) {
  return convolve_padded("conv2d", 2, input, weight, bias, stride, padding, dilation, groups, at);
}
TensorBase conv3d_padding(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                          Dims stride, std::string_view padding, Dims dilation, int64_t groups,
                          CallSite at) {
  return convolve_padded("conv3d", 3, input, weight, bias, stride, padding, dilation, groups, at);
}

TensorBase conv_transpose1d(const TensorBase& input, const TensorBase& weight,
                            const TensorBase& bias, Dims stride, Dims padding, Dims output_padding,
                            int64_t groups, Dims dilation, CallSite at) {
  return transpose_convolve("conv_transpose1d", 1, input, weight, bias,
                            {stride, padding, dilation, groups}, output_padding, at);
}
TensorBase conv_transpose2d(const TensorBase& input, const TensorBase& weight,
                            const TensorBase& bias, Dims stride, Dims padding, Dims output_padding,
                            int64_t groups, Dims dilation, CallSite at) {
  return transpose_convolve("conv_transpose2d", 2, input, weight, bias,
                            {stride, padding, dilation, groups}, output_padding, at);
}
TensorBase conv_transpose3d(const TensorBase& input, const TensorBase& weight,
                            const TensorBase& bias, Dims stride, Dims padding, Dims output_padding,
                            int64_t groups, Dims dilation, CallSite at) {
  return transpose_convolve("conv_transpose3d", 3, input, weight, bias,
                            {stride, padding, dilation, groups}, output_padding, at);
}

TensorBase convolution(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                       Dims stride, Dims padding, Dims dilation, bool transposed,
                       Dims output_padding, int64_t groups, CallSite at) {
  const int64_t rank = weight.dim() - 2;
  const Window window{stride, padding, dilation, groups};
  if (transposed) {
    return transpose_convolve("convolution", rank, input, weight, bias, window, output_padding, at);
  }
  return convolve("convolution", rank, input, weight, bias, window, at);
}

TensorBase conv_tbc(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                    int64_t pad, CallSite site) {
  constexpr const char* kOp = "conv_tbc";
  if (input.get(kOp, "input").key.rank != 3) {
    invalid_argument(kOp, "input", "a tensor with 3 dimensions: time, batch, channels",
                     shape_text(input));
  }
  if (weight.get(kOp, "weight").key.rank != 3 || weight.sizes()[1] != input.sizes()[2]) {
    invalid_argument(kOp, "weight",
                     concat("a tensor with 3 dimensions: time, the ", input.sizes()[2],
                            " channels of 'input', channels of the result"),
                     shape_text(weight));
  }
  if (bias.get(kOp, "bias").sizes() != Dims({weight.sizes()[2]})) {
    invalid_argument(kOp, "bias", concat("a vector of ", weight.sizes()[2], ", as 'weight' says"),
                     shape_text(bias));
  }
  if (pad < 0) invalid_argument(kOp, "pad", "a number that is not negative", concat(pad));
  const int64_t one[] = {1}, borders[] = {pad};
  const TensorBase signals = permute(input, DimVector({1, 2, 0}), site);
  const TensorBase kernels = permute(weight, DimVector({2, 1, 0}), site);
  const TensorBase result =
      conv1d(signals, kernels, bias, Dims(one, 1), Dims(borders, 1), Dims(one, 1), 1, site);
  return contiguous(permute(result, DimVector({2, 0, 1}), site), MemoryFormat::kContiguous, site);
}

TensorBase conv_input_grad(const TensorBase& g, const TensorBase& weight, Dims size, Dims stride,
                           Dims padding, Dims dilation, int64_t groups, bool last, CallSite site) {
  // What the last results left unread.
  DimVector unread;
  for (size_t axis = 0; axis + 2 < size.size(); ++axis) {
    const int64_t reach = (weight.sizes()[axis + 2] - 1) * at(dilation, axis) + 1;
    const int64_t read = (g.sizes()[axis + 2] - 1) * at(stride, axis) + reach;
    unread.push_back(size[axis + 2] + 2 * at(padding, axis) - read);
  }
  return conv_transpose(g, weight, stride, padding, unread, dilation, groups, last, {}, site);
}

TensorBase conv_transpose_grad(const TensorBase& g, const TensorBase& weight, Dims size,
                               Dims stride, Dims padding, Dims dilation, int64_t groups, bool last,
                               CallSite at) {
  TensorBase result = conv_forward(g, weight, stride, padding, dilation, groups, last, {}, at);
  for (size_t dim = 2; dim < size.size(); ++dim) {
    if (result.sizes()[dim] == size[dim]) continue;
    result = narrow(result, static_cast<int64_t>(dim), 0, size[dim], at);
  }
  return result;
}

TensorBase conv_bias(const TensorBase& bias, const TensorBase& result, CallSite at) {
  DimVector column({-1});
  for (int64_t d = 2; d < result.dim(); ++d) column.push_back(1);
  return expand(reshape(bias, column, at), result.sizes(), at);
}

}  // namespace eagre::ops
