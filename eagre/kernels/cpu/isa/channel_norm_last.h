// Normalization of channels that are last in memory. Stretches of pixels, which follow from the
// shape alone, are read once for the statistics of each of their channels; these are put together
// for each set, and a second pass writes.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/channel_norm_rows.h>
#include <eagre/kernels/cpu/isa/channel_sets.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Planes of one pixel or one channel lie the same way in both formats.
inline bool are_last(const TensorView& input) {
  return input.rank() > 2 && input.sizes[1] > 1 && input.strides[1] == 1;
}

// A stretch of rows, each the channels of a pixel, all of one image.
struct PixelRows {
  int64_t image, first, count;
};

// Groups of neighbouring channels over the pixels of an image. Where sets go across images, all
// pixels are those of one image, and each channel is a group.
struct LastSets {
  int64_t images, rows, channels, groups;
  int64_t stretch, stretches;  // of an image

  explicit LastSets(const ChannelSets& sets)
      : images(sets.across() ? 1 : sets.images),
        rows(sets.across() ? sets.images * sets.plane : sets.plane),
        channels(sets.channels),
        groups(sets.across() ? sets.channels : sets.groups) {
    // They stay in the caches while they are read twice.
    constexpr int64_t kNumel = 1 << 14, kLeast = 64;
    stretch = std::min(std::max(kNumel / channels, kLeast), rows);
    stretches = (rows - 1) / stretch + 1;
  }

  int64_t width() const { return channels / groups; }
  int64_t numel() const { return width() * rows; }
  // f(index, rows) for all stretches.
  template <class F>
  void each_stretch(const F& f) const {
    share(images * stretches, stretch * channels, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t image = i / stretches, start = i % stretches * stretch;
        f(i, PixelRows{image, image * rows + start, std::min(stretch, rows - start)});
        poll_interrupt(stretch * channels);
      }
    });
  }
};

// A number for each channel of each of `count` rows.
template <class T>
struct ChannelTable {
  T* data;
  int64_t channels;

  ChannelTable(Scratch use, int64_t count, int64_t channels_of_row)
      : data(static_cast<T*>(
            scratch(use, static_cast<size_t>(count * channels_of_row) * sizeof(T)))),
        channels(channels_of_row) {}
  T* row(int64_t i) const { return data + i * channels; }
};

// add(place, column, count, first, second) for pieces of rows, of which sums are made.
template <class T, class F>
void row_sums(const LastSets& sets, const PixelRows& rows, T* first, T* second, const F& add) {
  for (int64_t column = 0; column < sets.channels; column += kNormColumns) {
    const int64_t count = std::min(kNormColumns, sets.channels - column);
    column_sums<T>(rows.count, count, first + column, second + column,
                   [&](int64_t row, T* sums, T* more) {
                     add((rows.first + row) * sets.channels + column, column, count, sums, more);
                   });
  }
}

// The mean of each channel over some rows, and the sum of squares of distances to it.
template <class T>
void row_statistics(const LastSets& sets, const PixelRows& rows, const T* x, T* means, T* squares) {
  T* rest = static_cast<T*>(scratch(Scratch::kRow, static_cast<size_t>(sets.channels) * sizeof(T)));
  row_sums(sets, rows, means, squares, [&](int64_t place, int64_t, int64_t n, T* sums, T*) {
    const T* from = x + place;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) sums[i] += from[i];
  });
  const auto count = static_cast<T>(rows.count);
  for (int64_t c = 0; c < sets.channels; ++c) means[c] /= count;
  row_sums(sets, rows, rest, squares,
           [&](int64_t place, int64_t column, int64_t n, T* sums, T* products) {
             const T *from = x + place, *middle = means + column;
#pragma GCC ivdep
             for (int64_t i = 0; i < n; ++i) {
               const T distance = from[i] - middle[i];
               sums[i] += distance;
               products[i] += distance * distance;
             }
           });
  for (int64_t c = 0; c < sets.channels; ++c) {
    rest[c] /= count;  // what the rough mean has lost
    means[c] += rest[c];
    squares[c] -= rest[c] * rest[c] * count;
  }
}

// Statistics of a set from those of its channels in all stretches of its image.
template <class T>
Statistics<T> joined(const LastSets& sets, const ChannelTable<T>& parts, int64_t image,
                     int64_t channel) {
  const auto each = [&](const auto& add) {
    for (int64_t s = 0; s < sets.stretches; ++s) {
      const T* row = parts.row(2 * (image * sets.stretches + s)) + channel;
      const auto count = static_cast<T>(std::min(sets.stretch, sets.rows - s * sets.stretch));
      for (int64_t c = 0; c < sets.width(); ++c) add(count, row[c], row[sets.channels + c]);
    }
  };
  const auto count = static_cast<T>(sets.numel());
  T rough = 0, rest = 0, squares = 0;
  each([&](T n, T mean, T) { rough += n * mean; });
  rough /= count;
  each([&](T n, T mean, T of_part) {
    const T distance = mean - rough;
    rest += n * distance;
    squares += of_part + n * distance * distance;
  });
  return statistics_from(rough, {rest, squares}, count);
}

template <class T>
void normalize_last(const LastSets& sets, T* to, T* means, T* variances, const T* x,
                    const ChannelNumbers<T>& factors, const ChannelNumbers<T>& offsets,
                    double eps) {
  const ChannelTable<T> parts(Scratch::kPanel, 2 * sets.images * sets.stretches, sets.channels);
  sets.each_stretch([&](int64_t i, const PixelRows& rows) {
    row_statistics(sets, rows, x, parts.row(2 * i), parts.row(2 * i + 1));
  });
  const ChannelTable<T> lines(Scratch::kSums, 3 * sets.images, sets.channels);
  share(sets.images * sets.groups, sets.stretches * sets.width() * 4,
        [&](int64_t begin, int64_t end) {
          for (int64_t set = begin; set < end; ++set) {
            const int64_t image = set / sets.groups, channel = set % sets.groups * sets.width();
            const Statistics<T> found = joined(sets, parts, image, channel);
            means[set] = found.mean;
            variances[set] = found.variance;
            const T scale = inverse_deviation(found.variance, eps);
            for (int64_t c = channel; c < channel + sets.width(); ++c) {
              lines.row(3 * image)[c] = found.mean;
              lines.row(3 * image + 1)[c] = scale * factors.at(c);
              lines.row(3 * image + 2)[c] = offsets.at(c);
            }
          }
        });
  sets.each_stretch([&](int64_t, const PixelRows& rows) {
    const T* center = lines.row(3 * rows.image);
    const T *factor = center + sets.channels, *offset = factor + sets.channels;
    for (int64_t row = rows.first; row < rows.first + rows.count; ++row) {
      const T* from = x + row * sets.channels;
      T* line = to + row * sets.channels;
#pragma GCC ivdep
      for (int64_t c = 0; c < sets.channels; ++c) {
        line[c] = (from[c] - center[c]) * factor[c] + offset[c];
      }
    }
  });
}

// Of the gradient of the input, what all pixels of a channel have in common: x' has the mean of its
// set taken off, g' the weight put on.
template <class T>
struct LastGradients {
  const LastSets& sets;
  const ColumnGradients<T>& c;
  ChannelTable<T> parts;  // of each stretch: sums of g, sums of g * x'
  ChannelTable<T> lines;  // of each image: mean, and what g, 1 and x' are multiplied by

  LastGradients(const LastSets& of, const ColumnGradients<T>& gradients)
      : sets(of),
        c(gradients),
        parts(Scratch::kPanel, 2 * of.images * of.stretches, of.channels),
        lines(Scratch::kSums, 4 * of.images, of.channels) {}

  void add_up(int64_t i, const PixelRows& rows) const {
    const T* center = lines.row(4 * rows.image);
    row_sums(sets, rows, parts.row(2 * i), parts.row(2 * i + 1),
             [&](int64_t place, int64_t column, int64_t n, T* sums, T* products) {
               const T *grad = c.g + place, *from = c.x + place, *middle = center + column;
#pragma GCC ivdep
               for (int64_t k = 0; k < n; ++k) {
                 sums[k] += grad[k];
                 products[k] += grad[k] * (from[k] - middle[k]);
               }
             });
  }

  // The sums of a channel of an image go to its first stretch.
  void join_stretches(int64_t image, int64_t channel) const {
    T* total = parts.row(2 * image * sets.stretches) + channel;
    for (int64_t s = 1; s < sets.stretches; ++s) {
      const T* more = parts.row(2 * (image * sets.stretches + s)) + channel;
      total[0] += more[0];
      total[sets.channels] += more[sets.channels];
    }
  }

  void find_lines(int64_t set) const {
    const int64_t image = set / sets.groups, first = set % sets.groups * sets.width();
    const T scale = inverse_deviation(c.variances[set], c.eps);
    const auto count = static_cast<T>(sets.numel());
    T* sums = parts.row(2 * image * sets.stretches);
    T* line = lines.row(4 * image);
    T sum = 0, products = 0;
    for (int64_t i = first; i < first + sets.width(); ++i) {
      join_stretches(image, i);
      sum += c.factors.at(i) * sums[i];
      products += c.factors.at(i) * sums[sets.channels + i];
      sums[sets.channels + i] *= scale;
    }
    for (int64_t i = first; i < first + sets.width(); ++i) {
      line[sets.channels + i] = scale * c.factors.at(i);
      line[2 * sets.channels + i] = scale * sum / count;
      line[3 * sets.channels + i] = scale * scale * scale * products / count;
    }
  }

  void write(const PixelRows& rows) const {
    const T* center = lines.row(4 * rows.image);
    const T *factor = center + sets.channels, *level = factor + sets.channels,
            *slope = level + sets.channels;
    for (int64_t row = rows.first; row < rows.first + rows.count; ++row) {
      const T *grad = c.g + row * sets.channels, *from = c.x + row * sets.channels;
      T* line = c.input + row * sets.channels;
#pragma GCC ivdep
      for (int64_t i = 0; i < sets.channels; ++i) {
        line[i] = factor[i] * grad[i] - level[i] - (from[i] - center[i]) * slope[i];
      }
    }
  }
};

template <class T>
void normalize_last_backward(const LastSets& sets, const ColumnGradients<T>& c) {
  const LastGradients<T> gradients(sets, c);
  for (int64_t i = 0; i < sets.images * sets.channels; ++i) {
    const int64_t image = i / sets.channels, channel = i % sets.channels;
    gradients.lines.row(4 * image)[channel] = c.means[image * sets.groups + channel / sets.width()];
  }
  sets.each_stretch([&](int64_t i, const PixelRows& rows) { gradients.add_up(i, rows); });
  share(sets.images * sets.groups, sets.stretches * sets.width() * 2,
        [&](int64_t begin, int64_t end) {
          for (int64_t set = begin; set < end; ++set) gradients.find_lines(set);
        });
  sets.each_stretch([&](int64_t, const PixelRows& rows) { gradients.write(rows); });
  for (int64_t channel = 0; channel < sets.channels; ++channel) {
    T slope = 0, level = 0;
    for (int64_t image = 0; image < sets.images; ++image) {
      const T* sums = gradients.parts.row(2 * image * sets.stretches) + channel;
      level += sums[0];
      slope += sums[sets.channels];
    }
    c.weight[channel] = slope;
    c.bias[channel] = level;
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
