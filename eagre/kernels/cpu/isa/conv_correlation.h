// Correlation of images with kernels: a convolution, or one phase of its gradient. Blocks of
// results are independent tasks. Each copies the stripe of input that it reads, so what is needed
// beyond input and result is the size of the caches, and tiles then run along the stripe.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/conv_stripe.h>
#include <eagre/kernels/cpu/isa/conv_tile.h>
#include <eagre/kernels/cpu/isa/gemm_pack.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
struct Correlation {
  int64_t images, groups;
  int64_t inputs, outputs;  // channels of each group
  Planes<const T> input;
  int64_t input_image;
  Planes<T> output;
  int64_t output_image;
  const T* weight;
  int64_t weight_group, weight_output, weight_input, weight_axis[kConvAxes];
  const T* bias;  // one for each channel, or null
  int64_t bias_stride;
  ConvAxis axes[kConvAxes];

  int64_t terms() const { return inputs * axes[0].taps * axes[1].taps * axes[2].taps; }
  int64_t results() const { return axes[0].results * axes[1].results * axes[2].results; }
};

// Results are computed in blocks of about as many places as this.
constexpr int64_t kBlockPlaces = 384;
constexpr int64_t kStripeNumel = 1 << 16;
// Sums are cut into pieces, so that their error does not grow with the number of terms.
constexpr int64_t kTermsAtOnce = 512;
// Vectors of places in a tile of one channel.
constexpr int kManyVectors = kVectorBytes == 64 ? 8 : 4;
// Weights of a group that stay in the L2 cache while places go by.
constexpr int64_t kCachedWeights = 256 * 1024;

// How the results of one image are cut into blocks. It depends on shapes alone.
struct ConvBlocks {
  int64_t rows, columns, down, across, depth;

  ConvBlocks(const ConvAxis* axes, int64_t channels) {
    constexpr int64_t kMostColumns = 512;
    across = (axes[2].results - 1) / kMostColumns + 1;
    columns = (axes[2].results - 1) / across + 1;
    const int64_t row_length = columns + axes[2].reach;
    const int64_t row_numel =
        row_length * channels * axes[0].taps * axes[1].planes * axes[2].planes;
    const int64_t wanted = std::clamp<int64_t>(kBlockPlaces / row_length, 1, axes[1].results);
    const int64_t room = kStripeNumel / row_numel - axes[1].reach;
    down = (axes[1].results - 1) / std::clamp<int64_t>(wanted, 1, std::max<int64_t>(room, 1)) + 1;
    rows = (axes[1].results - 1) / down + 1;
    down = (axes[1].results - 1) / rows + 1;
    depth = axes[0].results;
  }
  int64_t count() const { return depth * down * across; }
  ConvBlock get(int64_t i, const ConvAxis* axes) const {
    const int64_t column = i % across * columns, row = i / across % down * rows;
    return {i / across / down, row, std::min(rows, axes[1].results - row), column,
            std::min(columns, axes[2].results - column)};
  }
};

// Weights of a group in the order in which tiles read them: panels of channels, all of about the
// same height.
struct WeightPanels {
  int64_t height, count, terms;

  WeightPanels(int64_t channels, int64_t most, int64_t terms_of_sums)
      : count((channels - 1) / most + 1), terms(terms_of_sums) {
    height = (channels - 1) / count + 1;
    count = (channels - 1) / height + 1;
  }

  // Do the weights of a channel follow each other in memory?
  template <class T>
  static bool are_rows(const Correlation<T>& c) {
    int64_t before = 1;
    for (int a = kConvAxes - 1; a >= 0; --a) {
      const ConvAxis& axis = c.axes[a];
      if (axis.first_tap != 0) return false;
      if (axis.taps > 1 && axis.tap_step * c.weight_axis[a] != before) return false;
      before *= axis.taps;
    }
    return c.inputs == 1 || c.weight_input == before;
  }

  template <class T>
  void pack(T* to, const Correlation<T>& c, int64_t group, int64_t panel) const {
    const int64_t first = panel * height;
    const int64_t rows = std::min(height, c.outputs - first);
    const T* from = c.weight + group * c.weight_group + first * c.weight_output;
    to += first * terms;
    if (are_rows(c)) return pack_rows<T, T>(to, Matrix<T>{from, rows, terms, c.weight_output, 1});
    for (int64_t i = 0; i < c.inputs; ++i) {
      for (int64_t d = 0; d < c.axes[0].taps; ++d) {
        for (int64_t h = 0; h < c.axes[1].taps; ++h) {
          const T* row = from + i * c.weight_input + c.axes[0].tap(d) * c.weight_axis[0] +
                         c.axes[1].tap(h) * c.weight_axis[1];
          for (int64_t w = 0; w < c.axes[2].taps; ++w) {
            const T* element = row + c.axes[2].tap(w) * c.weight_axis[2];
            for (int64_t r = 0; r < rows; ++r) *to++ = element[r * c.weight_output];
          }
        }
      }
    }
  }
};

// Packs the weights of all groups.
template <class T>
void pack_weights(T* to, const Correlation<T>& c, const WeightPanels& panels) {
  share(c.groups * panels.count, panels.height * panels.terms, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t group = i / panels.count;
      panels.pack(to + group * c.outputs * panels.terms, c, group, i % panels.count);
    }
  });
}

// Writes `count` places of a tile, of whose rows each is a channel, where channels lie together.
template <class T, int64_t kWidth>
void store_places(T* to, int64_t stride, const T* sums, int64_t count, int64_t rows,
                  int64_t channel, const Correlation<T>& c) {
  T offsets[kTileRows] = {};
  for (int64_t r = 0; r < rows && c.bias != nullptr; ++r) {
    offsets[r] = c.bias[(channel + r) * c.bias_stride];
  }
  for (int64_t j = 0; j < count; ++j, to += stride) {
    for (int64_t r = 0; r < rows; ++r) to[r] = sums[r * kWidth + j] + offsets[r];
  }
}

// sum_terms_of() for this number of rows, 1 to kRows.
template <class T, int kVectors, int kRows>
EAGRE_INLINE void sum_terms(int64_t rows, T* sums, const T* weights, const T* stripe,
                            const int64_t* terms, int64_t count, bool accumulate, const T* next) {
  if constexpr (kRows > 1) {
    if (rows < kRows) {
      return sum_terms<T, kVectors, kRows - 1>(rows, sums, weights, stripe, terms, count,
                                               accumulate, next);
    }
  }
  sum_terms_of<T, kRows, kVectors>(sums, weights, stripe, terms, count, accumulate, next);
}

// kVectors vectors of places in a tile of up to kRows channels.
template <class T, int kVectors, int kRows>
class Correlator {
 public:
  explicit Correlator(const Correlation<T>& c)
      : c_(c),
        blocks_(c.axes, c.inputs),
        layout_(c.axes, blocks_.rows, blocks_.columns),
        panels_(c.outputs, kRows, c.terms()) {}

  void run() {
    const int64_t group_numel = c_.outputs * panels_.terms;
    T* weights = memory<T>(Scratch::kPanel, c_.groups * group_numel);
    int64_t* terms = memory<int64_t>(Scratch::kSums, panels_.terms);
    layout_.find_terms(terms, c_.inputs);
    pack_weights(weights, c_, panels_);
    weights_ = weights;
    terms_ = terms;
    const int64_t blocks = blocks_.count();
    const int64_t work = blocks_.rows * layout_.row_length() * group_numel;
    share_steps(
        c_.images * c_.groups * blocks, 1, work, kSharedProducts, [&](int64_t begin, int64_t end) {
          for (int64_t task = begin; task < end; ++task) {
            const int64_t group = task / blocks % c_.groups;
            run_block(task / blocks / c_.groups, group, blocks_.get(task % blocks, c_.axes));
            poll_interrupt(work);
          }
        });
  }

 private:
  static constexpr int64_t kWidth = kVectors * Lanes<T>::kCount;

  template <class S>
  static S* memory(Scratch use, int64_t numel) {
    return static_cast<S*>(scratch(use, static_cast<size_t>(numel) * sizeof(S)));
  }

  void run_block(int64_t image, int64_t group, const ConvBlock& block) const {
    // Tiles read beyond the last place.
    const int64_t numel = c_.inputs * layout_.channel_numel();
    T* stripe = memory<T>(Scratch::kBlock, numel + kWidth);
    Planes<const T> input = c_.input;
    input.data += image * c_.input_image + group * c_.inputs * input.channel_stride;
    layout_.fill(stripe, input, c_.inputs, block);
    const T* weights = weights_ + group * c_.outputs * panels_.terms;
    const auto weight_bytes = c_.outputs * panels_.terms * static_cast<int64_t>(sizeof(T));
    const int64_t tiles = (layout_.places(block) - 1) / kWidth + 1;
    if (weight_bytes <= kCachedWeights) {
      for (int64_t tile = 0; tile < tiles; ++tile) {
        for (int64_t panel = 0; panel < panels_.count; ++panel) {
          run_tile(stripe, weights, image, group, block, tile * kWidth, panel);
        }
      }
      return;
    }
    for (int64_t panel = 0; panel < panels_.count; ++panel) {
      for (int64_t tile = 0; tile < tiles; ++tile) {
        run_tile(stripe, weights, image, group, block, tile * kWidth, panel);
      }
    }
  }

  void run_tile(const T* stripe, const T* weights, int64_t image, int64_t group,
                const ConvBlock& block, int64_t place, int64_t panel) const {
    alignas(kVectorBytes) T sums[kRows * kWidth];
    const int64_t first = panel * panels_.height;
    const int64_t rows = std::min(panels_.height, c_.outputs - first);
    for (int64_t k = 0; k < panels_.terms; k += kTermsAtOnce) {
      const int64_t count = std::min(kTermsAtOnce, panels_.terms - k);
      const T* from = weights + first * panels_.terms + k * rows;
      sum_terms<T, kVectors, kRows>(rows, sums, from, stripe + place, terms_ + k, count, k > 0,
                                    from + count * rows);
    }
    const int64_t channel = group * c_.outputs + first;
    T* to = c_.output.data + image * c_.output_image + channel * c_.output.channel_stride +
            at(0, block.depth);
    store(to, sums, rows, block, place, channel);
  }

  // From the first element of a channel to this result along an axis.
  int64_t at(int axis, int64_t result) const {
    const ConvAxis& a = c_.axes[axis];
    return (a.out_first + result * a.out_step) * c_.output.strides[axis];
  }

  // Writes what a tile holds of the results, without what lies between rows.
  void store(T* to, const T* sums, int64_t rows, const ConvBlock& block, int64_t place,
             int64_t channel) const {
    const int64_t row_length = layout_.row_length();
    const int64_t end = std::min(place + kWidth, layout_.places(block));
    const int64_t stride = c_.axes[2].out_step * c_.output.strides[2];
    int64_t row = place / row_length;
    for (int64_t begin = row * row_length; begin < end; begin += row_length, ++row) {
      const int64_t from = std::max(begin, place);
      const int64_t count = std::min(begin + block.columns, end) - from;
      if (count <= 0) continue;
      T* line = to + at(1, block.row + row) + at(2, block.column + from - begin);
      const T* source = sums + (from - place);
      if (c_.output.channel_stride == 1) {
        store_places<T, kWidth>(line, stride, source, count, rows, channel, c_);
        continue;
      }
      for (int64_t r = 0; r < rows; ++r, line += c_.output.channel_stride, source += kWidth) {
        const T offset = c_.bias == nullptr ? T{} : c_.bias[(channel + r) * c_.bias_stride];
        if (stride == 1) {
          for (int64_t j = 0; j < count; ++j) line[j] = source[j] + offset;
        } else {
          for (int64_t j = 0; j < count; ++j) line[j * stride] = source[j] + offset;
        }
      }
    }
  }

  const Correlation<T>& c_;
  const ConvBlocks blocks_;
  const StripeLayout layout_;
  const WeightPanels panels_;
  const T* weights_ = nullptr;
  const int64_t* terms_ = nullptr;
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
