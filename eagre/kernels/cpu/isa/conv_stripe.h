// A stripe: the part of a convolution's input that a block of its results reads, with zeros for
// what lies outside, laid out so that every tap reads one run of memory for many results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <eagre/kernels/cpu/isa/channel_block.h>
#include <eagre/kernels/cpu/isa/conv_axis.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

constexpr int kConvAxes = 3;  // fewer are axes of size 1 in front

// Channels with up to three spatial axes.
template <class T>
struct Planes {
  T* data;
  int64_t channel_stride;
  int64_t sizes[kConvAxes];
  int64_t strides[kConvAxes];
};

// Results [row, row + rows) x [column, column + columns) at one depth.
struct ConvBlock {
  int64_t depth, row, rows, column, columns;
};

// Channels that lie together at every place, which are `stride` apart, as rows of places: in tiles,
// the last of which begins early enough to be whole.
template <class T>
void copy_places(T* to, int64_t channel_numel, const T* from, int64_t stride, int64_t places,
                 int64_t channels) {
  using Block = ChannelBlock<T>;
  constexpr int64_t kCount = Block::kCount;
  const int64_t in_tiles = channels < kCount || places < kCount ? 0 : channels;
  for (int64_t channel = 0; channel < in_tiles; channel += kCount) {
    channel = std::min(channel, channels - kCount);
    for (int64_t place = 0; place < places; place += kCount) {
      place = std::min(place, places - kCount);
      typename Block::Vector rows[kCount];
      for (int64_t i = 0; i < kCount; ++i) {
        Block::load(rows[i], from + (place + i) * stride + channel);
      }
      Block::transpose(rows);
      for (int64_t i = 0; i < kCount; ++i) {
        Block::store(to + (channel + i) * channel_numel + place, rows[i]);
      }
    }
  }
  for (int64_t channel = in_tiles; channel < channels; ++channel) {
    T* line = to + channel * channel_numel;
    for (int64_t place = 0; place < places; ++place) line[place] = from[place * stride + channel];
  }
}

// How stripes are laid out: rows of planes of channels, the same for all blocks of a convolution.
// The results of a block are counted along rows of the stripe, as if each had `row_length` of them.
class StripeLayout {
 public:
  StripeLayout(const ConvAxis* axes, int64_t block_rows, int64_t block_columns)
      : axes_(axes),
        row_length_(block_columns + axes[2].reach),
        plane_rows_(block_rows + axes[1].reach) {}

  int64_t row_length() const { return row_length_; }
  int64_t channel_numel() const {
    return axes_[0].taps * axes_[1].planes * axes_[2].planes * plane_rows_ * row_length_;
  }
  // Results of a block, with what lies between its rows.
  int64_t places(const ConvBlock& block) const {
    return (block.rows - 1) * row_length_ + block.columns;
  }

  // Where the first result of a block finds each term of its sum: channel by channel, tap by tap.
  void find_terms(int64_t* terms, int64_t channels) const {
    for (int64_t channel = 0; channel < channels; ++channel) {
      const int64_t base = channel * channel_numel();
      for (int64_t d = 0; d < axes_[0].taps; ++d) {
        for (int64_t h = 0; h < axes_[1].taps; ++h) {
          for (int64_t w = 0; w < axes_[2].taps; ++w) {
            *terms++ = base + plane_offset(d, axes_[1].plane(h), axes_[2].plane(w)) +
                       axes_[1].offset(h) * row_length_ + axes_[2].offset(w);
          }
        }
      }
    }
  }

  // Copies what a block reads of channels [0, channels).
  template <class T>
  void fill(T* to, const Planes<const T>& input, int64_t channels, const ConvBlock& block) const {
    // Channels that lie together are read together.
    const int64_t together = input.channel_stride == 1 ? channels : 1;
    for (int64_t channel = 0; channel < channels; channel += together) {
      const T* from = input.data + channel * input.channel_stride;
      T* plane = to + channel * channel_numel();
      for (int64_t d = 0; d < axes_[0].taps; ++d) {
        const int64_t depth = block.depth * axes_[0].step + axes_[0].shift(d);
        const bool is_inside = depth >= 0 && depth < input.sizes[0];
        for (int64_t h = 0; h < axes_[1].planes; ++h) {
          for (int64_t w = 0; w < axes_[2].planes; ++w) {
            fill_plane(plane, is_inside ? from + depth * input.strides[0] : nullptr, input,
                       together, block, h, w);
            plane += plane_rows_ * row_length_;
          }
        }
      }
    }
  }

 private:
  int64_t plane_offset(int64_t d, int64_t h, int64_t w) const {
    const int64_t number = (d * axes_[1].planes + h) * axes_[2].planes + w;
    return number * plane_rows_ * row_length_;
  }

  template <class T>
  void fill_plane(T* to, const T* from, const Planes<const T>& input, int64_t channels,
                  const ConvBlock& block, int64_t h, int64_t w) const {
    const ConvAxis& rows = axes_[1];
    const ConvAxis& columns = axes_[2];
    const int64_t needed = block.rows + rows.reach;
    int64_t row = block.row * rows.step + rows.plane_start(h);
    // Elements before the first that is there, and those that are.
    const int64_t start = block.column * columns.step + columns.plane_start(w);
    const int64_t width = std::min(block.columns + columns.reach, row_length_);
    const int64_t before =
        start >= 0 ? 0 : std::min((-start + columns.step - 1) / columns.step, width);
    const int64_t first = start + before * columns.step;
    const int64_t room = input.sizes[2] - first;
    const int64_t there =
        room <= 0 ? 0 : std::min((room + columns.step - 1) / columns.step, width - before);
    const int64_t stride = columns.step * input.strides[2];
    for (int64_t i = 0; i < needed; ++i, row += rows.step, to += row_length_) {
      if (from == nullptr || row < 0 || row >= input.sizes[1]) {
        fill_zeros(to, width, channels);
        continue;
      }
      const T* source = from + row * input.strides[1] + first * input.strides[2];
      T* middle = to + before;
      if (channels > 1) {
        fill_zeros(to, before, channels);
        copy_places(middle, channel_numel(), source, stride, there, channels);
        fill_zeros(middle + there, width - before - there, channels);
        continue;
      }
      for (int64_t j = 0; j < before; ++j) to[j] = 0;
      if (stride == 1) {
        for (int64_t j = 0; j < there; ++j) middle[j] = source[j];
      } else {
        for (int64_t j = 0; j < there; ++j) middle[j] = source[j * stride];
      }
      for (int64_t j = before + there; j < width; ++j) to[j] = 0;
    }
  }

  template <class T>
  void fill_zeros(T* to, int64_t count, int64_t channels) const {
    for (int64_t channel = 0; channel < channels; ++channel, to += channel_numel()) {
      for (int64_t j = 0; j < count; ++j) to[j] = 0;
    }
  }

  const ConvAxis* axes_;
  int64_t row_length_, plane_rows_;
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
