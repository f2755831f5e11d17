// Which way a correlation is computed.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/conv_correlation.h>
#include <eagre/kernels/cpu/isa/conv_packed.h>
#include <eagre/kernels/cpu/isa/gemm.h>
#include <eagre/kernels/cpu/isa/share.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Results that no tap reaches.
template <class T>
void fill_with_bias(const Correlation<T>& c) {
  const int64_t channels = c.groups * c.outputs;
  for (int64_t i = 0; i < c.images * channels; ++i) {
    const int64_t channel = i % channels;
    const T value = c.bias == nullptr ? T{} : c.bias[channel * c.bias_stride];
    T* to = c.output.data + i / channels * c.output_image + channel * c.output.channel_stride;
    for (int64_t place = 0; place < c.results(); ++place) {
      int64_t rest = place, offset = 0;
      for (int a = kConvAxes - 1; a >= 0; --a) {
        const ConvAxis& axis = c.axes[a];
        const int64_t result = rest % axis.results;
        offset += (axis.out_first + result * axis.out_step) * c.output.strides[a];
        rest /= axis.results;
      }
      to[offset] = value;
    }
    poll_interrupt(c.results());
  }
}

// Kernels of one element are matrix products: channels of the result times those of the input.
template <class T>
bool correlate_as_product(const Correlation<T>& c) {
  int64_t places = 1;
  for (int a = kConvAxes - 1; a >= 0; --a) {
    const ConvAxis& axis = c.axes[a];
    const bool is_whole = axis.taps == 1 && axis.step == 1 && axis.out_step == 1 &&
                          axis.first_shift == 0 && axis.results == c.input.sizes[a];
    const bool is_dense =
        axis.results == 1 || (c.input.strides[a] == places && c.output.strides[a] == places);
    if (!is_whole || !is_dense) return false;
    places *= axis.results;
  }
  if (c.outputs == 1) return false;
  const int64_t tap = c.axes[0].first_tap * c.weight_axis[0] +
                      c.axes[1].first_tap * c.weight_axis[1] +
                      c.axes[2].first_tap * c.weight_axis[2];
  const auto product = [&](int64_t image, int64_t group) {
    const Matrix<T> weight{c.weight + group * c.weight_group + tap, c.outputs, c.inputs,
                           c.weight_output, c.weight_input};
    const Matrix<T> input{
        c.input.data + image * c.input_image + group * c.inputs * c.input.channel_stride, c.inputs,
        places, c.input.channel_stride, 1};
    T* to = c.output.data + image * c.output_image + group * c.outputs * c.output.channel_stride;
    for (int64_t i = 0; c.bias != nullptr && i < c.outputs; ++i) {
      const T value = c.bias[(group * c.outputs + i) * c.bias_stride];
      std::fill_n(to + i * c.output.channel_stride, places, value);
    }
    multiply<T>(
        {.data = to, .row_stride = c.output.channel_stride, .accumulate = c.bias != nullptr},
        weight, input);
  };
  const int64_t products = c.outputs * c.inputs * places;
  // Large products are shared one by one, small ones as they are.
  constexpr int64_t kLarge = 32 * kSharedProducts;
  const auto range = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) product(i / c.groups, i % c.groups);
  };
  if (products >= kLarge) {
    range(0, c.images * c.groups);
  } else {
    share_steps(c.images * c.groups, 1, products, kSharedProducts, range);
  }
  return true;
}

template <class T>
void correlate(const Correlation<T>& c) {
  if (c.terms() == 0) return fill_with_bias(c);
  if (correlate_as_product(c)) return;
  if (PackedCorrelator<T>::suits(c)) return PackedCorrelator<T>(c).run();
  if (c.outputs == 1) return Correlator<T, kManyVectors, 1>(c).run();
  if (c.outputs <= 3) return Correlator<T, kManyVectors / 2, 3>(c).run();
  Correlator<T, kTileVectors, kTileRows>(c).run();
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
