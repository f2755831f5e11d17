// Correlation where each group is one channel and channels are last in memory: vectors of channels
// go through all terms of a place, straight from the input.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/conv_axis.h>
#include <eagre/kernels/cpu/isa/conv_correlation.h>
#include <eagre/kernels/cpu/isa/conv_stripe.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/isa/vector.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
class DepthwiseCorrelator {
 public:
  explicit DepthwiseCorrelator(const Correlation<T>& c)
      : c_(c), columns_((c.groups + L::kCount - 1) / L::kCount * L::kCount) {}

  static bool suits(const Correlation<T>& c) {
    return c.inputs == 1 && c.outputs == 1 && c.groups > 1 && c.input.channel_stride == 1 &&
           c.output.channel_stride == 1 && c.terms() <= kTermsAtOnce;
  }

  void run() {
    const int64_t terms = c_.terms();
    T* weights = memory<T>(Scratch::kPanel, (terms + 1) * columns_);
    pack(weights);
    weights_ = weights;
    const int64_t lines = c_.axes[0].results * c_.axes[1].results;
    const int64_t work = c_.axes[2].results * terms * columns_;
    share_steps(c_.images * lines, 1, work, kSharedProducts, [&](int64_t begin, int64_t end) {
      Term* found = memory<Term>(Scratch::kSums, terms);
      for (int64_t i = begin; i < end; ++i) {
        run_line(found, i / lines, i % lines / c_.axes[1].results, i % c_.axes[1].results);
        poll_interrupt(work);
      }
    });
  }

 private:
  using L = Lanes<T>;
  // Where a term is in the input, for the first channel, and its weights.
  struct Term {
    const T *from, *weights;
  };

  template <class S>
  static S* memory(Scratch use, int64_t numel) {
    return static_cast<S*>(scratch(use, static_cast<size_t>(numel) * sizeof(S)));
  }

  // Rows of weights for all channels, one for each term; then the bias.
  void pack(T* to) const {
    for (int64_t term = 0; term < c_.terms(); ++term, to += columns_) {
      int64_t rest = term, offset = 0;
      for (int a = kConvAxes - 1; a >= 0; --a) {
        const ConvAxis& axis = c_.axes[a];
        offset += axis.tap(rest % axis.taps) * c_.weight_axis[a];
        rest /= axis.taps;
      }
      for (int64_t i = 0; i < columns_; ++i) {
        to[i] = i < c_.groups ? c_.weight[offset + i * c_.weight_group] : T{};
      }
    }
    for (int64_t i = 0; i < columns_; ++i) {
      to[i] = i < c_.groups && c_.bias != nullptr ? c_.bias[i * c_.bias_stride] : T{};
    }
  }

  void run_line(Term* found, int64_t image, int64_t depth, int64_t row) const {
    const int64_t place[] = {depth, row};
    const T* from = c_.input.data + image * c_.input_image;
    T* to = c_.output.data + image * c_.output_image;
    for (int a = 0; a < 2; ++a) to += at(a, place[a]);
    for (int64_t column = 0; column < c_.axes[2].results; ++column) {
      const int64_t places[] = {depth, row, column};
      const int64_t count = find_terms(found, from, places);
      sum_terms(to + at(2, column), found, count);
    }
  }

  // From the first element of a channel to this result along an axis.
  int64_t at(int axis, int64_t result) const {
    const ConvAxis& a = c_.axes[axis];
    return (a.out_first + result * a.out_step) * c_.output.strides[axis];
  }

  // The terms of a place that are not in the padding.
  int64_t find_terms(Term* found, const T* from, const int64_t* places) const {
    int64_t count = 0;
    const T* weights = weights_;
    const auto source = [&](int a, int64_t tap, int64_t& offset) {
      const int64_t place = places[a] * c_.axes[a].step + c_.axes[a].shift(tap);
      offset += place * c_.input.strides[a];
      return place >= 0 && place < c_.input.sizes[a];
    };
    for (int64_t d = 0; d < c_.axes[0].taps; ++d) {
      int64_t plane = 0;
      const bool has_plane = source(0, d, plane);
      for (int64_t h = 0; h < c_.axes[1].taps; ++h) {
        int64_t row = plane;
        const bool has_row = source(1, h, row) && has_plane;
        for (int64_t w = 0; w < c_.axes[2].taps; ++w, weights += columns_) {
          int64_t in = row;
          if (source(2, w, in) && has_row) found[count++] = {from + in, weights};
        }
      }
    }
    return count;
  }

  void sum_terms(T* to, const Term* terms, int64_t count) const {
    const T* bias = weights_ + c_.terms() * columns_;
    int64_t channel = 0;
    for (; channel + 4 * L::kCount <= c_.groups; channel += 4 * L::kCount) {
      typename L::Vector sums[4] = {};
      for (int64_t k = 0; k < count; ++k) {
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v) {
          const int64_t place = channel + v * L::kCount;
          sums[v] = L::multiply_add(L::load(terms[k].weights + place),
                                    L::load(terms[k].from + place), sums[v]);
        }
      }
#pragma GCC unroll 4
      for (int v = 0; v < 4; ++v) {
        const int64_t place = channel + v * L::kCount;
        L::store(to + place, sums[v] + L::load(bias + place));
      }
    }
    for (; channel < c_.groups; channel += L::kCount) {
      const int width = static_cast<int>(std::min<int64_t>(L::kCount, c_.groups - channel));
      typename L::Vector sum{};
      for (int64_t k = 0; k < count; ++k) {
        sum = L::multiply_add(L::load(terms[k].weights + channel),
                              L::load_first(terms[k].from + channel, width), sum);
      }
      L::store_first(to + channel, sum + L::load(bias + channel), width);
    }
  }

  const Correlation<T>& c_;
  const int64_t columns_;  // channels, in whole vectors
  const T* weights_ = nullptr;
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
