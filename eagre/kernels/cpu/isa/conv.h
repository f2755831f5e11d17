// Convolutions of tensors: their arguments as correlations.
#pragma once

#include <cstdint>

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/conv_depthwise_weight.h>
#include <eagre/kernels/cpu/isa/conv_paths.h>
#include <eagre/kernels/cpu/isa/conv_weight.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// stride, padding and dilation; lists of one number hold for all axes.
struct ConvArguments {
  Dims stride, padding, dilation;
  int64_t groups;

  static int64_t at(Dims list, int axis, int64_t rank) {
    return list.size() == 1 ? list[0] : list[static_cast<size_t>(axis - (kConvAxes - rank))];
  }
};

// Is there such an axis in tensors of this many spatial dimensions?
constexpr bool has_axis(int axis, int64_t rank) { return axis >= kConvAxes - rank; }

template <class T>
Planes<T> planes_of(const TensorView& view) {
  Planes<T> planes{view.as<T>(), view.strides[1], {1, 1, 1}, {0, 0, 0}};
  const int64_t rank = view.rank() - 2;
  for (int axis = 0; axis < kConvAxes; ++axis) {
    if (!has_axis(axis, rank)) continue;
    const auto dim = static_cast<size_t>(view.rank() - kConvAxes + axis);
    planes.sizes[axis] = view.sizes[dim];
    planes.strides[axis] = view.strides[dim];
  }
  return planes;
}

template <class T>
void convolution(const TensorView& out, const TensorView& input, const TensorView& weight,
                 const TensorView& bias, const ConvArguments& arguments) {
  if (out.numel == 0) return;
  const int64_t groups = arguments.groups, outputs = weight.sizes[0] / groups;
  Correlation<T> c{out.sizes[0],
                   groups,
                   weight.sizes[1],
                   outputs,
                   planes_of<const T>(input),
                   input.strides[0],
                   planes_of<T>(out),
                   out.strides[0],
                   weight.as<const T>(),
                   outputs * weight.strides[0],
                   weight.strides[0],
                   weight.strides[1],
                   {0, 0, 0},
                   bias.as<const T>(),
                   bias.data == nullptr ? 0 : bias.strides[0],
                   {}};
  const Planes<const T> kernel = planes_of<const T>(weight);
  const int64_t rank = out.rank() - 2;
  for (int a = 0; a < kConvAxes; ++a) {
    if (!has_axis(a, rank)) continue;
    c.weight_axis[a] = kernel.strides[a];
    c.axes[a] = ConvAxis::forward(c.output.sizes[a], kernel.sizes[a],
                                  ConvArguments::at(arguments.stride, a, rank),
                                  ConvArguments::at(arguments.padding, a, rank),
                                  ConvArguments::at(arguments.dilation, a, rank));
  }
  correlate(c);
}

// The gradient of a convolution for its input, which is also the transposed convolution: one
// correlation for each phase, the places that are whole strides apart.
template <class T>
void convolution_transpose(const TensorView& out, const TensorView& input, const TensorView& weight,
                           const TensorView& bias, const ConvArguments& arguments) {
  if (out.numel == 0) return;
  const int64_t groups = arguments.groups, inputs = weight.sizes[0] / groups;
  Correlation<T> c{out.sizes[0],
                   groups,
                   inputs,
                   weight.sizes[1],
                   planes_of<const T>(input),
                   input.strides[0],
                   planes_of<T>(out),
                   out.strides[0],
                   weight.as<const T>(),
                   inputs * weight.strides[0],
                   weight.strides[1],
                   weight.strides[0],
                   {0, 0, 0},
                   bias.as<const T>(),
                   bias.data == nullptr ? 0 : bias.strides[0],
                   {}};
  const Planes<const T> kernel = planes_of<const T>(weight);
  const int64_t rank = out.rank() - 2;
  int64_t phases[kConvAxes] = {1, 1, 1};
  for (int a = 0; a < kConvAxes; ++a) {
    if (!has_axis(a, rank)) continue;
    c.weight_axis[a] = kernel.strides[a];
    phases[a] = std::min(ConvArguments::at(arguments.stride, a, rank), c.output.sizes[a]);
  }
  for (int64_t phase = 0; phase < phases[0] * phases[1] * phases[2]; ++phase) {
    int64_t rest = phase;
    for (int a = kConvAxes - 1; a >= 0; --a) {
      if (!has_axis(a, rank)) continue;
      c.axes[a] = ConvAxis::backward(c.output.sizes[a], rest % phases[a], kernel.sizes[a],
                                     ConvArguments::at(arguments.stride, a, rank),
                                     ConvArguments::at(arguments.padding, a, rank),
                                     ConvArguments::at(arguments.dilation, a, rank));
      rest /= phases[a];
    }
    correlate(c);
  }
}

template <class T>
void convolution_weight(const TensorView& out, const TensorView& g, const TensorView& input,
                        const ConvArguments& arguments) {
  if (out.numel == 0) return;
  if (g.numel == 0 || input.numel == 0) {
    std::fill_n(out.as<T>(), out.numel, T{});
    return;
  }
  const int64_t groups = arguments.groups, outputs = out.sizes[0] / groups;
  WeightGradient<T> c{input.sizes[0],
                      groups,
                      out.sizes[1],
                      outputs,
                      planes_of<const T>(input),
                      input.strides[0],
                      planes_of<const T>(g),
                      g.strides[0],
                      out.as<T>(),
                      outputs * out.strides[0],
                      out.strides[0],
                      out.strides[1],
                      {0, 0, 0},
                      {}};
  const Planes<T> kernel = planes_of<T>(out);
  const int64_t rank = out.rank() - 2;
  for (int a = 0; a < kConvAxes; ++a) {
    if (!has_axis(a, rank)) continue;
    c.weight_axis[a] = kernel.strides[a];
    c.axes[a] = ConvAxis::forward(c.grad.sizes[a], kernel.sizes[a],
                                  ConvArguments::at(arguments.stride, a, rank),
                                  ConvArguments::at(arguments.padding, a, rank),
                                  ConvArguments::at(arguments.dilation, a, rank));
  }
  if (DepthwiseWeightSummer<T>::suits(c)) return DepthwiseWeightSummer<T>(c).run();
  WeightSummer<T>(c).run();
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
