// Which way a correlation is computed.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/conv_correlation.h>
#include <eagre/kernels/cpu/isa/conv_depthwise.h>
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

// How far apart the places of a plane are, if these are steps along a line.
struct PlaceLine {
  int64_t places = 1, step = 1;
  bool is_line = true;

  void add_axis(int64_t size, int64_t stride) {
    if (size == 1) return;
    if (places == 1) step = stride;
    is_line &= stride == step * places;
    places *= size;
  }
};

// Products of kernels of one element.
template <class T>
struct PointProducts {
  const Correlation<T>& c;
  PlaceLine read, written;
  int64_t tap = 0;

  explicit PointProducts(const Correlation<T>& correlation) : c(correlation) {
    for (int a = kConvAxes - 1; a >= 0; --a) {
      read.add_axis(c.axes[a].results, c.input.strides[a]);
      written.add_axis(c.axes[a].results, c.output.strides[a]);
      tap += c.axes[a].first_tap * c.weight_axis[a];
    }
  }

  bool are_possible() const {
    for (int a = 0; a < kConvAxes; ++a) {
      const ConvAxis& axis = c.axes[a];
      const bool is_whole = axis.taps == 1 && axis.step == 1 && axis.out_step == 1 &&
                            axis.first_shift == 0 && axis.results == c.input.sizes[a];
      if (!is_whole) return false;
    }
    if (!read.is_line || !written.is_line || c.outputs == 1) return false;
    return written.step == 1 || c.output.channel_stride == 1;
  }

  const T* input_of(int64_t image, int64_t group) const {
    return c.input.data + image * c.input_image + group * c.inputs * c.input.channel_stride;
  }
  T* output_of(int64_t image, int64_t group) const {
    return c.output.data + image * c.output_image + group * c.outputs * c.output.channel_stride;
  }
  const T* weight_of(int64_t group) const { return c.weight + group * c.weight_group + tap; }

  // Channels of the result times those of the input.
  void rows_of_channels(int64_t image, int64_t group) const {
    const Matrix<T> weight{weight_of(group), c.outputs, c.inputs, c.weight_output, c.weight_input};
    const Matrix<T> input{input_of(image, group), c.inputs, read.places, c.input.channel_stride,
                          read.step};
    T* to = output_of(image, group);
    for (int64_t i = 0; c.bias != nullptr && i < c.outputs; ++i) {
      const T value = c.bias[(group * c.outputs + i) * c.bias_stride];
      std::fill_n(to + i * c.output.channel_stride, read.places, value);
    }
    multiply<T>(
        {.data = to, .row_stride = c.output.channel_stride, .accumulate = c.bias != nullptr},
        weight, input);
  }

  // The same turned over, where channels of the result lie together.
  void rows_of_places(int64_t image, int64_t group, int64_t places) const {
    const Matrix<T> input{input_of(image, group), places, c.inputs, read.step,
                          c.input.channel_stride};
    const Matrix<T> weight{weight_of(group), c.inputs, c.outputs, c.weight_input, c.weight_output};
    T* to = output_of(image, group);
    const T* bias = c.bias == nullptr ? nullptr : c.bias + group * c.outputs * c.bias_stride;
    for (int64_t place = 0; bias != nullptr && place < places; ++place) {
      T* row = to + place * written.step;
      for (int64_t i = 0; i < c.outputs; ++i) row[i] = bias[i * c.bias_stride];
    }
    multiply<T>({.data = to, .row_stride = written.step, .accumulate = bias != nullptr}, input,
                weight);
  }
};

// Kernels of one element are matrix products.
template <class T>
bool correlate_as_product(const Correlation<T>& c) {
  const PointProducts<T> products(c);
  if (!products.are_possible()) return false;
  const int64_t places = products.read.places;
  const bool turned = products.written.step != 1;
  int64_t images = c.images, rows = places;
  // Images that follow each other are one.
  if (turned && c.input_image == places * products.read.step &&
      c.output_image == places * products.written.step) {
    rows *= images;
    images = 1;
  }
  const int64_t work = c.outputs * c.inputs * rows;
  // Large products are shared one by one, small ones as they are.
  constexpr int64_t kLarge = 32 * kSharedProducts;
  const auto range = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (turned) {
        products.rows_of_places(i / c.groups, i % c.groups, rows);
      } else {
        products.rows_of_channels(i / c.groups, i % c.groups);
      }
    }
  };
  if (work >= kLarge || images * c.groups == 1) {
    range(0, images * c.groups);
  } else {
    share_steps(images * c.groups, 1, work, kSharedProducts, range);
  }
  return true;
}

template <class T>
void correlate(const Correlation<T>& c) {
  if (c.terms() == 0) return fill_with_bias(c);
  if (correlate_as_product(c)) return;
  if (DepthwiseCorrelator<T>::suits(c)) return DepthwiseCorrelator<T>(c).run();
  if (PackedCorrelator<T>::suits(c)) return PackedCorrelator<T>(c).run();
  if (c.outputs == 1) return Correlator<T, kManyVectors, 1>(c).run();
  if (c.outputs <= 3) return Correlator<T, kManyVectors / 2, 3>(c).run();
  Correlator<T, kTileVectors, kTileRows>(c).run();
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
