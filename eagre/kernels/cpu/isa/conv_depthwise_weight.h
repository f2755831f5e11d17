// The gradient of a convolution for its weight where each group is one channel and channels are
// last in memory: vectors of channels, for all terms of a stretch of lines, whose sums are added up
// in order.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/conv_axis.h>
#include <eagre/kernels/cpu/isa/conv_stripe.h>
#include <eagre/kernels/cpu/isa/conv_weight.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/isa/vector.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
class DepthwiseWeightSummer {
 public:
  explicit DepthwiseWeightSummer(const WeightGradient<T>& c)
      : c_(c),
        columns_((c.groups + L::kCount - 1) / L::kCount * L::kCount),
        lines_(c.axes[0].results * c.axes[1].results) {
    constexpr int64_t kMostStretches = 64, kLeastLines = 8;
    const int64_t all = c.images * lines_;
    stretch_ = std::max((all - 1) / kMostStretches + 1, std::min(kLeastLines, all));
    stretches_ = (all - 1) / stretch_ + 1;
  }

  static bool suits(const WeightGradient<T>& c) {
    return c.inputs == 1 && c.outputs == 1 && c.groups > 1 && c.input.channel_stride == 1 &&
           c.grad.channel_stride == 1;
  }

  void run() {
    const int64_t numel = c_.taps() * columns_;
    sums_ = static_cast<T*>(
        scratch(Scratch::kPanel, static_cast<size_t>(stretches_ * numel) * sizeof(T)));
    const int64_t work = stretch_ * c_.axes[2].results * numel;
    share_steps(stretches_, 1, work, kSharedProducts, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) run_stretch(i, sums_ + i * numel);
    });
    for (int64_t s = 1; s < stretches_; ++s) {
      for (int64_t i = 0; i < numel; ++i) sums_[i] += sums_[s * numel + i];
    }
    for (int64_t tap = 0; tap < c_.taps(); ++tap) write(tap);
  }

 private:
  using L = Lanes<T>;

  void write(int64_t tap) const {
    int64_t rest = tap, offset = 0;
    for (int a = kConvAxes - 1; a >= 0; --a) {
      offset += rest % c_.axes[a].taps * c_.weight_axis[a];
      rest /= c_.axes[a].taps;
    }
    for (int64_t i = 0; i < c_.groups; ++i) {
      c_.weight[offset + i * c_.weight_group] = sums_[tap * columns_ + i];
    }
  }

  void run_stretch(int64_t stretch, T* sums) const {
    std::fill_n(sums, c_.taps() * columns_, T{});
    const int64_t end = std::min((stretch + 1) * stretch_, c_.images * lines_);
    for (int64_t line = stretch * stretch_; line < end; ++line) {
      run_line(line / lines_, line % lines_ / c_.axes[1].results, line % c_.axes[1].results, sums);
      poll_interrupt(c_.axes[2].results * c_.taps() * columns_);
    }
  }

  // All taps of a line of the gradient.
  void run_line(int64_t image, int64_t depth, int64_t row, T* sums) const {
    const T* grads = c_.grad.data + image * c_.grad_image + depth * c_.grad.strides[0] +
                     row * c_.grad.strides[1];
    const T* from = c_.input.data + image * c_.input_image;
    for (int64_t d = 0; d < c_.axes[0].taps; ++d) {
      const int64_t plane = depth * c_.axes[0].step + c_.axes[0].shift(d);
      for (int64_t h = 0; h < c_.axes[1].taps; ++h) {
        const int64_t line = row * c_.axes[1].step + c_.axes[1].shift(h);
        const bool is_inside =
            plane >= 0 && plane < c_.input.sizes[0] && line >= 0 && line < c_.input.sizes[1];
        for (int64_t w = 0; w < c_.axes[2].taps; ++w, sums += columns_) {
          if (!is_inside) continue;
          add_tap(sums, from + plane * c_.input.strides[0] + line * c_.input.strides[1], grads, w);
        }
      }
    }
  }

  // Adds products along a line, from the first to the last place that the tap finds there.
  void add_tap(T* sums, const T* line, const T* grads, int64_t tap) const {
    const ConvAxis& axis = c_.axes[2];
    const int64_t shift = axis.shift(tap), size = c_.input.sizes[2];
    const int64_t first = shift >= 0 ? 0 : (axis.step - 1 - shift) / axis.step;
    const int64_t end =
        size <= shift ? 0 : std::min(axis.results, (size - shift - 1) / axis.step + 1);
    if (first >= end) return;
    const int64_t step = axis.step * c_.input.strides[2], grad_step = c_.grad.strides[2];
    const T* from = line + (first * axis.step + shift) * c_.input.strides[2];
    const T* grad = grads + first * grad_step;
    int64_t channel = 0;
    for (; channel + 4 * L::kCount <= c_.groups; channel += 4 * L::kCount) {
      typename L::Vector tile[4];
      for (int v = 0; v < 4; ++v) tile[v] = L::load(sums + channel + v * L::kCount);
      for (int64_t i = 0; i < end - first; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v) {
          const int64_t place = channel + v * L::kCount;
          tile[v] = L::multiply_add(L::load(from + i * step + place),
                                    L::load(grad + i * grad_step + place), tile[v]);
        }
      }
      for (int v = 0; v < 4; ++v) L::store(sums + channel + v * L::kCount, tile[v]);
    }
    for (; channel < c_.groups; channel += L::kCount) {
      const int width = static_cast<int>(std::min<int64_t>(L::kCount, c_.groups - channel));
      typename L::Vector sum = L::load(sums + channel);
      for (int64_t i = 0; i < end - first; ++i) {
        sum = L::multiply_add(L::load_first(from + i * step + channel, width),
                              L::load_first(grad + i * grad_step + channel, width), sum);
      }
      L::store(sums + channel, sum);
    }
  }

  const WeightGradient<T>& c_;
  const int64_t columns_;  // channels, in whole vectors
  const int64_t lines_;    // of an image of the gradient
  int64_t stretch_, stretches_;
  T* sums_ = nullptr;
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
