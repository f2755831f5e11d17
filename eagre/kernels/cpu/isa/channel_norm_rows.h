// Normalization of channels where planes are single numbers (N, C): loops go along the channels of
// an image, which lie together.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/channel_sets.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Channels that are taken together, and rows whose sums are added up first.
constexpr int64_t kNormColumns = 64;
constexpr int64_t kNormRows = 64;

// add(row, first, second) for all rows, where the arrays hold two sums for each of `width` columns.
template <class T, class F>
void column_sums(int64_t rows, int64_t width, T* first, T* second, const F& add) {
  std::fill_n(first, width, T{});
  std::fill_n(second, width, T{});
  for (int64_t start = 0; start < rows; start += kNormRows) {
    T parts[2][kNormColumns] = {};
    for (int64_t row = start; row < std::min(start + kNormRows, rows); ++row) {
      add(row, parts[0], parts[1]);
    }
    for (int64_t i = 0; i < width; ++i) first[i] += parts[0][i];
    for (int64_t i = 0; i < width; ++i) second[i] += parts[1][i];
  }
}

// f(channel, width) for blocks of channels, none of which goes across the border of a group.
template <class F>
void each_block(const ChannelSets& sets, const F& f) {
  const int64_t length = sets.across() ? sets.channels : sets.planes();
  const int64_t blocks = (length - 1) / kNormColumns + 1;
  share(sets.channels / length * blocks, sets.images * kNormColumns,
        [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t within = i % blocks * kNormColumns;
            f(i / blocks * length + within, std::min(kNormColumns, length - within));
            poll_interrupt(sets.images * kNormColumns);
          }
        });
}

// Statistics of channels over all rows.
template <class T>
void normalize_columns(const ChannelSets& sets, T* to, T* means, T* variances, const T* x,
                       const ChannelNumbers<T>& factors, const ChannelNumbers<T>& offsets,
                       double eps) {
  const auto count = static_cast<T>(sets.images);
  each_block(sets, [&](int64_t channel, int64_t width) {
    T rough[kNormColumns], rest[kNormColumns], scale[kNormColumns], offset[kNormColumns];
    column_sums<T>(sets.images, width, rough, rest, [&](int64_t row, T* sums, T*) {
      const T* from = x + row * sets.channels + channel;
#pragma GCC ivdep
      for (int64_t i = 0; i < width; ++i) sums[i] += from[i];
    });
    for (int64_t i = 0; i < width; ++i) rough[i] /= count;
    column_sums<T>(sets.images, width, rest, scale, [&](int64_t row, T* sums, T* squares) {
      const T* from = x + row * sets.channels + channel;
#pragma GCC ivdep
      for (int64_t i = 0; i < width; ++i) {
        const T distance = from[i] - rough[i];
        sums[i] += distance;
        squares[i] += distance * distance;
      }
    });
    for (int64_t i = 0; i < width; ++i) {
      const Statistics<T> found = statistics_from(rough[i], {rest[i], scale[i]}, count);
      means[channel + i] = rough[i] = found.mean;
      variances[channel + i] = found.variance;
      scale[i] = inverse_deviation(found.variance, eps) * factors.at(channel + i);
      offset[i] = offsets.at(channel + i);
    }
    for (int64_t row = 0; row < sets.images; ++row) {
      const T* from = x + row * sets.channels + channel;
      T* line = to + row * sets.channels + channel;
#pragma GCC ivdep
      for (int64_t i = 0; i < width; ++i) line[i] = (from[i] - rough[i]) * scale[i] + offset[i];
    }
  });
}

template <class T>
struct ColumnGradients {
  T *input, *weight, *bias;
  const T *g, *x, *means, *variances;
  const ChannelNumbers<T>& factors;
  double eps;
};

template <class T>
void normalize_columns_backward(const ChannelSets& sets, const ColumnGradients<T>& c) {
  const auto count = static_cast<T>(sets.images);
  each_block(sets, [&](int64_t channel, int64_t width) {
    T level[kNormColumns], slope[kNormColumns], factor[kNormColumns];
    const T* center = c.means + channel;
    column_sums<T>(sets.images, width, level, slope, [&](int64_t row, T* sums, T* products) {
      const T* grad = c.g + row * sets.channels + channel;
      const T* from = c.x + row * sets.channels + channel;
#pragma GCC ivdep
      for (int64_t i = 0; i < width; ++i) {
        sums[i] += grad[i];
        products[i] += grad[i] * (from[i] - center[i]);
      }
    });
    for (int64_t i = 0; i < width; ++i) {
      const T scale = inverse_deviation(c.variances[channel + i], c.eps);
      c.bias[channel + i] = level[i];
      c.weight[channel + i] = slope[i] * scale;
      factor[i] = scale * c.factors.at(channel + i);
      level[i] *= factor[i] / count;
      slope[i] *= factor[i] * scale * scale / count;
    }
    for (int64_t row = 0; row < sets.images; ++row) {
      const T* grad = c.g + row * sets.channels + channel;
      const T* from = c.x + row * sets.channels + channel;
      T* line = c.input + row * sets.channels + channel;
#pragma GCC ivdep
      for (int64_t i = 0; i < width; ++i) {
        line[i] = factor[i] * grad[i] - level[i] - (from[i] - center[i]) * slope[i];
      }
    }
  });
}

// Numbers of channels as a row.
template <class T>
const T* row_of(const ChannelNumbers<T>& numbers, int64_t channels, T* room) {
  for (int64_t i = 0; i < channels; ++i) room[i] = numbers.at(i);
  return room;
}

// Statistics of groups of each row.
template <class T>
void normalize_groups(const ChannelSets& sets, T* to, T* means, T* variances, const T* x,
                      const ChannelNumbers<T>& factors, const ChannelNumbers<T>& offsets,
                      double eps) {
  const int64_t n = sets.planes();
  T* room =
      static_cast<T*>(scratch(Scratch::kPanel, static_cast<size_t>(2 * sets.channels) * sizeof(T)));
  const T* weights = row_of(factors, sets.channels, room);
  const T* biases = row_of(offsets, sets.channels, room + sets.channels);
  share(sets.count(), n, [&](int64_t begin, int64_t end) {
    for (int64_t set = begin; set < end; ++set) {
      const Statistics<T> found = statistics_of(sets, x, set);
      means[set] = found.mean;
      variances[set] = found.variance;
      const T scale = inverse_deviation(found.variance, eps), center = found.mean;
      const int64_t channel = set % sets.groups * n;
      const T *from = x + set * n, *weight = weights + channel, *bias = biases + channel;
      T* line = to + set * n;
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) line[i] = (from[i] - center) * scale * weight[i] + bias[i];
    }
  });
}

template <class T>
void normalize_groups_backward(const ChannelSets& sets, const ColumnGradients<T>& c) {
  const int64_t n = sets.planes();
  T* room =
      static_cast<T*>(scratch(Scratch::kPanel, static_cast<size_t>(sets.channels) * sizeof(T)));
  const T* weights = row_of(c.factors, sets.channels, room);
  share(sets.count(), 2 * n, [&](int64_t begin, int64_t end) {
    T* grads = static_cast<T*>(scratch(Scratch::kRow, static_cast<size_t>(n) * sizeof(T)));
    for (int64_t set = begin; set < end; ++set) {
      const T *g = c.g + set * n, *from = c.x + set * n, *weight = weights + set % sets.groups * n;
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) grads[i] = g[i] * weight[i];
      const T center = c.means[set], scale = inverse_deviation(c.variances[set], c.eps);
      const TwoSums<T> sums = gradient_sums(grads, from, n, center);
      const T level = scale * sums.first / static_cast<T>(n);
      const T slope = scale * scale * scale * sums.second / static_cast<T>(n);
      T* line = c.input + set * n;
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) {
        line[i] = scale * grads[i] - level - (from[i] - center) * slope;
      }
    }
  });
  each_block(sets, [&](int64_t channel, int64_t width) {
    const int64_t group = channel / n;
    column_sums<T>(sets.images, width, c.bias + channel, c.weight + channel,
                   [&](int64_t row, T* sums, T* products) {
                     const int64_t set = row * sets.groups + group;
                     const T center = c.means[set];
                     const T scale = inverse_deviation(c.variances[set], c.eps);
                     const T* grad = c.g + row * sets.channels + channel;
                     const T* from = c.x + row * sets.channels + channel;
#pragma GCC ivdep
                     for (int64_t i = 0; i < width; ++i) {
                       sums[i] += grad[i];
                       products[i] += grad[i] * ((from[i] - center) * scale);
                     }
                   });
  });
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
