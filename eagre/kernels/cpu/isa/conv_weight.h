// The gradient of a convolution for its weight: for every tap the sum over images and places of
// what the tap finds times the gradient of the result. Stretches of blocks make partial sums, which
// are added up in order: where they are cut depends on shapes alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/kernels/cpu/isa/conv_correlation.h>
#include <eagre/kernels/cpu/isa/gemm_pack.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
struct WeightGradient {
  int64_t images, groups;
  int64_t inputs, outputs;  // channels of each group
  Planes<const T> input;
  int64_t input_image;
  Planes<const T> grad;  // of the result
  int64_t grad_image;
  T* weight;
  int64_t weight_group, weight_output, weight_input, weight_axis[kConvAxes];
  ConvAxis axes[kConvAxes];

  int64_t taps() const { return axes[0].taps * axes[1].taps * axes[2].taps; }
};

// sum_places_of() for this number of terms, 1 to kRows.
template <class T, int kVectors, int kRows>
EAGRE_INLINE void sum_places(int64_t terms_left, T* sums, int64_t sums_row, const T* stripe,
                             const int64_t* terms, const T* grads, const PlaceRows& places) {
  if constexpr (kRows > 1) {
    if (terms_left < kRows) {
      return sum_places<T, kVectors, kRows - 1>(terms_left, sums, sums_row, stripe, terms, grads,
                                                places);
    }
  }
  sum_places_of<T, kRows, kVectors>(sums, sums_row, stripe, terms, grads, places);
}

template <class T>
class WeightSummer {
 public:
  explicit WeightSummer(const WeightGradient<T>& c)
      : c_(c),
        blocks_(c.axes, c.inputs),
        layout_(c.axes, blocks_.rows, blocks_.columns),
        columns_((c.outputs + kCount - 1) / kCount * kCount) {
    // Stretches of blocks, and channels of the input at once.
    constexpr int64_t kMostNumel = 8 << 20, kMostStretches = 64, kLeastProducts = 1 << 22;
    const int64_t numel = c.groups * c.inputs * c.taps() * columns_;
    const int64_t tasks = c.images * blocks_.count();
    const int64_t products = numel * blocks_.rows * blocks_.columns / c.groups + 1;
    const int64_t least = kLeastProducts / products + 1;
    const int64_t most = std::clamp<int64_t>(kMostNumel / numel, 1, kMostStretches);
    stretch_ = std::max((tasks - 1) / most + 1, least);
    // Whole images that are small are taken together.
    constexpr int64_t kLeastPlaces = 256;
    const int64_t places = blocks_.rows * blocks_.columns;
    if (blocks_.count() == 1) together_ = std::clamp<int64_t>(kLeastPlaces / places, 1, stretch_);
    stretches_ = (tasks - 1) / stretch_ + 1;
    channels_ = std::clamp<int64_t>(512 / c.taps(), 1, c.inputs);
  }

  void run() {
    const int64_t terms = c_.inputs * c_.taps();
    int64_t* places = memory<int64_t>(Scratch::kSums, channels_ * c_.taps());
    layout_.find_terms(places, channels_);
    terms_ = places;
    const int64_t group_numel = terms * columns_;
    sums_ = memory<T>(Scratch::kPanel, stretches_ * c_.groups * group_numel);
    const int64_t parts = (c_.inputs - 1) / channels_ + 1;
    const int64_t work =
        stretch_ * blocks_.rows * blocks_.columns * channels_ * c_.taps() * columns_;
    share_steps(stretches_ * c_.groups * parts, 1, work, kSharedProducts,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    run_stretch(i / parts / c_.groups, i / parts % c_.groups, i % parts);
                  }
                });
    share(c_.groups * terms, stretches_ * columns_, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) add_stretches(i / terms, i % terms);
    });
  }

 private:
  static constexpr int64_t kCount = Lanes<T>::kCount;

  template <class S>
  static S* memory(Scratch use, int64_t numel) {
    return static_cast<S*>(scratch(use, static_cast<size_t>(numel) * sizeof(S)));
  }
  T* sums_of(int64_t stretch, int64_t group, int64_t term) const {
    return sums_ + ((stretch * c_.groups + group) * c_.inputs * c_.taps() + term) * columns_;
  }

  void run_stretch(int64_t stretch, int64_t group, int64_t part) const {
    const int64_t first = part * channels_;
    const int64_t channels = std::min(channels_, c_.inputs - first);
    const int64_t terms = channels * c_.taps();
    T* sums = sums_of(stretch, group, first * c_.taps());
    std::fill_n(sums, terms * columns_, T{});
    const int64_t stripe_numel = channels * layout_.channel_numel();
    T* stripe = memory<T>(Scratch::kBlock, together_ * stripe_numel + kCount);
    T* grads = memory<T>(Scratch::kRow, together_ * blocks_.rows * blocks_.columns * columns_);
    const int64_t blocks = blocks_.count();
    const int64_t end = std::min((stretch + 1) * stretch_, c_.images * blocks);
    for (int64_t i = stretch * stretch_; i < end; i += together_) {
      const int64_t count = std::min(together_, end - i);
      const ConvBlock block = blocks_.get(i % blocks, c_.axes);
      const int64_t places = block.rows * block.columns;
      for (int64_t unit = 0; unit < count; ++unit) {
        const int64_t image = (i + unit) / blocks;
        Planes<const T> input = c_.input;
        input.data += image * c_.input_image + (group * c_.inputs + first) * input.channel_stride;
        layout_.fill(stripe + unit * stripe_numel, input, channels, block);
        gather_grads(grads, image, group, block, unit, count);
      }
      const PlaceRows rows{count, stripe_numel, block.rows, layout_.row_length(), block.columns};
      constexpr int64_t kPanel = kTileVectors * kCount;
      for (int64_t column = 0; column < columns_; column += kPanel) {
        const T* panel = grads + column * count * places;
        for (int64_t k = 0; k < terms; k += kTileRows) {
          T* to = sums + k * columns_ + column;
          if (column + kPanel <= columns_) {
            sum_places<T, kTileVectors, kTileRows>(terms - k, to, columns_, stripe, terms_ + k,
                                                   panel, rows);
          } else {
            sum_places<T, 1, kTileRows>(terms - k, to, columns_, stripe, terms_ + k, panel, rows);
          }
        }
      }
      poll_interrupt(count * places * terms * columns_);
    }
  }

  // The gradients of a block, one of `count`, the channels of each place together, in panels of
  // tiles.
  void gather_grads(T* to, int64_t image, int64_t group, const ConvBlock& block, int64_t unit,
                    int64_t count) const {
    const int64_t places = block.rows * block.columns;
    constexpr int64_t kPanel = kTileVectors * kCount;
    for (int64_t column = 0; column < columns_; column += kPanel) {
      const int64_t width = std::min(kPanel, columns_ - column);
      for (int64_t row = 0; row < block.rows; ++row) {
        const T* from = c_.grad.data + image * c_.grad_image +
                        (group * c_.outputs + column) * c_.grad.channel_stride +
                        block.depth * c_.grad.strides[0] + (block.row + row) * c_.grad.strides[1] +
                        block.column * c_.grad.strides[2];
        const int64_t there = std::min(width, c_.outputs - column);
        T* line = to + column * count * places + (unit * block.rows + row) * block.columns * width;
        const Matrix<T> grads{from, block.columns, there, c_.grad.strides[2],
                              c_.grad.channel_stride};
        pack_line(line, grads, width);
      }
    }
  }
  static void pack_line(T* to, const Matrix<T>& grads, int64_t width) {
    constexpr int kPanel = kTileVectors * static_cast<int>(kCount);
    if (grads.row_stride == 1 && grads.columns == kPanel) {
      return interleave<T, kPanel>(to, grads.data, grads.column_stride, grads.rows, kPanel);
    }
    for (int64_t i = 0; i < grads.rows && grads.column_stride == 1; ++i, to += width) {
      const T* from = grads.at(i, 0);
      for (int64_t j = 0; j < grads.columns; ++j) to[j] = from[j];
      for (int64_t j = grads.columns; j < width; ++j) to[j] = T{};
    }
    if (grads.column_stride == 1) return;
    for (int64_t i = 0; i < grads.rows; ++i, to += width) {
      for (int64_t j = 0; j < grads.columns; ++j) to[j] = *grads.at(i, j);
      for (int64_t j = grads.columns; j < width; ++j) to[j] = T{};
    }
  }

  // The sum of all stretches for one term, to its place in the weight of each channel.
  void add_stretches(int64_t group, int64_t term) const {
    T* sums = sums_of(0, group, term);
    for (int64_t s = 1; s < stretches_; ++s) {
      const T* more = sums_of(s, group, term);
      for (int64_t j = 0; j < columns_; ++j) sums[j] += more[j];
    }
    int64_t rest = term, offset = group * c_.weight_group;
    for (int a = kConvAxes - 1; a >= 0; --a) {
      offset += rest % c_.axes[a].taps * c_.weight_axis[a];
      rest /= c_.axes[a].taps;
    }
    offset += rest * c_.weight_input;
    for (int64_t j = 0; j < c_.outputs; ++j) c_.weight[offset + j * c_.weight_output] = sums[j];
  }

  const WeightGradient<T>& c_;
  const ConvBlocks blocks_;
  const StripeLayout layout_;
  const int64_t columns_;  // channels of the result, in whole vectors
  int64_t stretch_, stretches_, channels_;
  int64_t together_ = 1;  // blocks whose places are one stretch of memory
  const int64_t* terms_ = nullptr;
  T* sums_ = nullptr;
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
