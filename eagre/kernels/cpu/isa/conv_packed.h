// Correlation of small images with many kernels: places of several blocks are packed next to each
// other, as the right side of a matrix product, so tiles hold no places that lie between rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/conv_correlation.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
class PackedCorrelator {
 public:
  explicit PackedCorrelator(const Correlation<T>& c)
      : c_(c),
        taps_(c.terms() / c.inputs),
        channels_(std::clamp<int64_t>(kTermsPacked / taps_, 1, c.inputs)),
        blocks_(c.axes, channels_),
        layout_(c.axes, blocks_.rows, blocks_.columns),
        panels_(c.outputs, kTileRows, c.terms()),
        units_(c.images * blocks_.count()) {
    together_ = std::clamp<int64_t>(kPlacesPacked / (blocks_.rows * blocks_.columns), 1,
                                    std::min(kMostUnits, units_));
  }

  // Is that worth the packing?
  static bool suits(const Correlation<T>& c) {
    if (c.outputs < 4 * kTileRows) return false;
    const ConvBlocks blocks(c.axes, c.inputs);
    const int64_t row_length = blocks.columns + c.axes[2].reach;
    const int64_t places = (blocks.rows - 1) * row_length + blocks.columns;
    const int64_t tiles = (places - 1) / kWidth + 1;
    // More than a tenth of what tiles would compute is not there.
    return 10 * blocks.rows * blocks.columns < 9 * tiles * kWidth;
  }

  void run() {
    const int64_t group_numel = c_.outputs * panels_.terms;
    T* weights = memory<T>(Scratch::kPanel, c_.groups * group_numel);
    pack_weights(weights, c_, panels_);
    int64_t* terms = memory<int64_t>(Scratch::kSums, 2 * channels_ * taps_);
    layout_.find_terms(terms, channels_);
    for (int64_t k = 0; k < channels_ * taps_; ++k) terms[channels_ * taps_ + k] = k * kWidth;
    terms_ = terms;
    steps_ = terms + channels_ * taps_;
    weights_ = weights;
    const int64_t stretches = (units_ - 1) / together_ + 1;
    // Few tasks are cut further: each packs its places again.
    const int64_t tasks = c_.groups * stretches;
    const int64_t wanted = tasks == 1 ? get_num_threads() : 2 * get_num_threads() / tasks;
    const int64_t least = (panels_.count - 1) / kMostPanels + 1;
    const int64_t most = (panels_.count - 1) / kLeastPanels + 1;
    panels_of_task_ = (panels_.count - 1) / std::clamp(wanted, least, most) + 1;
    const int64_t parts = (panels_.count - 1) / panels_of_task_ + 1;
    const int64_t work = together_ * blocks_.rows * blocks_.columns * group_numel / parts;
    share_steps(c_.groups * stretches * parts, 1, work, kSharedProducts,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    run_task(i / parts / stretches, i / parts % stretches * together_,
                             i % parts * panels_of_task_);
                    poll_interrupt(work);
                  }
                });
  }

 private:
  static constexpr int64_t kWidth = kTileVectors * Lanes<T>::kCount;
  static constexpr int64_t kTermsPacked = 216, kPlacesPacked = 224, kMostUnits = 64;
  static constexpr int64_t kLeastPanels = 8, kMostPanels = 48;

  // Places of one row of a block in a tile: their first place there, how many, where they are in
  // stripes and in the result.
  struct Run {
    int64_t place, count, source, target;
  };
  struct TileRuns {
    int64_t count = 0;
    Run list[kWidth];
  };

  template <class S>
  static S* memory(Scratch use, int64_t numel) {
    return static_cast<S*>(scratch(use, static_cast<size_t>(numel) * sizeof(S)));
  }
  ConvBlock block_of(int64_t unit) const { return blocks_.get(unit % blocks_.count(), c_.axes); }
  int64_t at(int axis, int64_t result) const {
    const ConvAxis& a = c_.axes[axis];
    return (a.out_first + result * a.out_step) * c_.output.strides[axis];
  }

  // The runs of all tiles of `units` units from `first` on; gives how many tiles there are.
  int64_t find_runs(TileRuns* tiles, int64_t first, int64_t units, int64_t stripe_numel) const {
    int64_t place = 0;
    for (int64_t i = 0; i < units; ++i) {
      const ConvBlock block = block_of(first + i);
      const int64_t image = (first + i) / blocks_.count();
      for (int64_t row = 0; row < block.rows; ++row) {
        for (int64_t column = 0; column < block.columns;) {
          TileRuns& tile = tiles[place / kWidth];
          const int64_t count = std::min(block.columns - column, kWidth - place % kWidth);
          tile.list[tile.count++] = {place % kWidth, count,
                                     i * stripe_numel + row * layout_.row_length() + column,
                                     image * c_.output_image + at(0, block.depth) +
                                         at(1, block.row + row) + at(2, block.column + column)};
          place += count;
          column += count;
        }
      }
    }
    return (place - 1) / kWidth + 1;
  }

  void run_task(int64_t group, int64_t first_unit, int64_t first_panel) const {
    const int64_t units = std::min(together_, units_ - first_unit);
    const int64_t panels = std::min(panels_of_task_, panels_.count - first_panel);
    const int64_t stripe_numel = channels_ * layout_.channel_numel();
    const int64_t most_tiles = (units * blocks_.rows * blocks_.columns - 1) / kWidth + 1;
    auto* tiles = memory<TileRuns>(Scratch::kRow, most_tiles);
    for (int64_t i = 0; i < most_tiles; ++i) tiles[i].count = 0;
    const int64_t count = find_runs(tiles, first_unit, units, stripe_numel);
    const int64_t tile_numel = channels_ * taps_ * kWidth;
    const int64_t sums_numel = kTileRows * kWidth;
    T* stripes = memory<T>(Scratch::kBlock, units * stripe_numel + kWidth + count * tile_numel +
                                                kWidth + panels * count * sums_numel);
    T* packed = stripes + units * stripe_numel + kWidth;
    T* sums = packed + count * tile_numel + kWidth;
    for (int64_t channel = 0; channel < c_.inputs; channel += channels_) {
      const int64_t channels = std::min(channels_, c_.inputs - channel);
      const int64_t terms = channels * taps_;
      for (int64_t i = 0; i < units; ++i) {
        Planes<const T> input = c_.input;
        input.data += (first_unit + i) / blocks_.count() * c_.input_image +
                      (group * c_.inputs + channel) * input.channel_stride;
        layout_.fill(stripes + i * stripe_numel, input, channels, block_of(first_unit + i));
      }
      for (int64_t i = 0; i < count; ++i) {
        pack_tile(packed + i * tile_numel, tiles[i], stripes, terms);
      }
      // A tile stays in the L1 cache while weights go by.
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t panel = 0; panel < panels; ++panel) {
          const int64_t first = (first_panel + panel) * panels_.height;
          const int64_t rows = std::min(panels_.height, c_.outputs - first);
          const T* weights =
              weights_ + (group * c_.outputs + first) * panels_.terms + channel * taps_ * rows;
          sum_terms<T, kTileVectors, kTileRows>(
              rows, sums + (panel * count + i) * sums_numel, weights, packed + i * tile_numel,
              steps_, terms, channel > 0, weights + panels_.height * panels_.terms);
        }
      }
    }
    for (int64_t panel = 0; panel < panels; ++panel) {
      for (int64_t i = 0; i < count; ++i) {
        store(sums + (panel * count + i) * sums_numel, tiles[i], group,
              (first_panel + panel) * panels_.height);
      }
    }
  }

  // Whole vectors are copied: what is too much is overwritten by what comes next.
  void pack_tile(T* to, const TileRuns& runs, const T* stripes, int64_t terms) const {
    using L = Lanes<T>;
    for (int64_t k = 0; k < terms; ++k, to += kWidth) {
      const T* from = stripes + terms_[k];
      for (int64_t r = 0; r < runs.count; ++r) {
        const Run& run = runs.list[r];
        for (int64_t j = 0; j < run.count; j += L::kCount) {
          L::store(to + run.place + j, L::load(from + run.source + j));
        }
      }
    }
  }

  void store(const T* sums, const TileRuns& runs, int64_t group, int64_t first) const {
    const int64_t rows = std::min(panels_.height, c_.outputs - first);
    const int64_t stride = c_.axes[2].out_step * c_.output.strides[2];
    if (c_.output.channel_stride == 1) {
      const int64_t channel = group * c_.outputs + first;
      for (int64_t r = 0; r < runs.count; ++r) {
        const Run& run = runs.list[r];
        store_places<T, kWidth>(c_.output.data + channel + run.target, stride, sums + run.place,
                                run.count, rows, channel, c_);
      }
      return;
    }
    for (int64_t row = 0; row < rows; ++row, sums += kWidth) {
      const int64_t channel = group * c_.outputs + first + row;
      T* to = c_.output.data + channel * c_.output.channel_stride;
      const T offset = c_.bias == nullptr ? T{} : c_.bias[channel * c_.bias_stride];
      for (int64_t r = 0; r < runs.count; ++r) {
        const Run& run = runs.list[r];
        for (int64_t j = 0; j < run.count; ++j) {
          to[run.target + j * stride] = sums[run.place + j] + offset;
        }
      }
    }
  }

  const Correlation<T>& c_;
  const int64_t taps_, channels_;  // of the input at once
  const ConvBlocks blocks_;
  const StripeLayout layout_;
  const WeightPanels panels_;
  const int64_t units_;  // blocks of all images
  int64_t together_;     // units of a task
  int64_t panels_of_task_ = 1;
  const T* weights_ = nullptr;
  const int64_t *terms_ = nullptr, *steps_ = nullptr;
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
