// Normalization of channels (N, C, …): sets of planes that share their mean and variance. A set is
// a channel of all images (batch_norm) or a group of channels of one image (group_norm). A set is
// read from the caches after its first pass, so sets are the tasks that threads share.
#pragma once

#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/elementary.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/isa/two_sums.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

struct ChannelSets {
  int64_t images, channels, plane;
  int64_t groups;  // of channels; 0 if sets go across images

  ChannelSets(const TensorView& input, int64_t groups_of_channels)
      : images(input.sizes[0]), channels(input.sizes[1]), plane(1), groups(groups_of_channels) {
    for (size_t d = 2; d < input.sizes.size(); ++d) plane *= input.sizes[d];
  }
  bool across() const { return groups == 0; }
  int64_t count() const { return across() ? channels : images * groups; }
  int64_t planes() const { return across() ? images : channels / groups; }
  int64_t numel() const { return planes() * plane; }
  // The number of a plane, counted through the tensor; plane % channels is its channel.
  int64_t number(int64_t set, int64_t i) const {
    return across() ? i * channels + set : set * planes() + i;
  }
  int64_t set_of(int64_t number) const {
    return across() ? number % channels : number / planes();
  }
};

// A number of each channel, `otherwise` if there are none.
template <class T>
struct ChannelNumbers {
  const T* data;
  int64_t stride;
  T otherwise;

  ChannelNumbers(const TensorView& view, T value)
      : data(view.as<const T>()), stride(view.data == nullptr ? 0 : view.strides[0]),
        otherwise(value) {}
  T at(int64_t channel) const { return data == nullptr ? otherwise : data[channel * stride]; }
};

template <class T>
struct Statistics {
  T mean, variance;
};

template <class T>
Statistics<T> statistics_of(const ChannelSets& sets, const T* x, int64_t set) {
  const auto count = static_cast<T>(sets.numel());
  const auto each_run = [&](const auto& add) {
    if (!sets.across()) return add(x + set * sets.numel(), sets.numel());
    for (int64_t i = 0; i < sets.images; ++i) {
      add(x + sets.number(set, i) * sets.plane, sets.plane);
    }
  };
  T sum = 0, first = 0, second = 0;
  each_run([&](const T* run, int64_t n) { sum += fold_row<Add<T>>(run, 1, n, T{}); });
  const T rough = sum / count;
  each_run([&](const T* run, int64_t n) {
    const TwoSums<T> sums = distance_sums(run, n, rough);
    first += sums.first;
    second += sums.second;
  });
  const T rest = first / count;  // what the first sum has lost
  const T variance = second / count - rest * rest;
  return {rough + rest, variance > 0 || variance != variance ? variance : T{}};
}

template <class T>
T inverse_deviation(T variance, double eps) {
  return 1 / square_root(variance + static_cast<T>(eps));
}

// All are contiguous, but for weight and bias.
template <class T>
void channel_norm(const TensorView& out, const TensorView& mean, const TensorView& variance,
                  const TensorView& input, const TensorView& weight, const TensorView& bias,
                  int64_t groups, double eps) {
  if (input.numel == 0) return;
  const ChannelSets sets(input, groups);
  const ChannelNumbers<T> factors(weight, T{1}), offsets(bias, T{});
  const T* x = input.as<const T>();
  T* to = out.as<T>();
  share(sets.count(), sets.numel(), [&](int64_t begin, int64_t end) {
    for (int64_t set = begin; set < end; ++set) {
      const Statistics<T> found = statistics_of(sets, x, set);
      mean.as<T>()[set] = found.mean;
      variance.as<T>()[set] = found.variance;
      const T scale = inverse_deviation(found.variance, eps), center = found.mean;
      for (int64_t i = 0; i < sets.planes(); ++i) {
        const int64_t number = sets.number(set, i), channel = number % sets.channels;
        const T factor = scale * factors.at(channel), offset = offsets.at(channel);
        const T* from = x + number * sets.plane;
        T* line = to + number * sets.plane;
#pragma GCC ivdep
        for (int64_t j = 0; j < sets.plane; ++j) line[j] = (from[j] - center) * factor + offset;
      }
      poll_interrupt(sets.numel());
    }
  });
}

// With x' the input without its mean, s the inverse of the deviation, and g' the gradient times the
// weight: s * (g' - mean(g') - x' * s^2 * mean(g' * x')); and the sums over images and planes of
// g * x' * s for the weight, of g for the bias.
template <class T>
void channel_norm_backward(const TensorView& grad_input, const TensorView& grad_weight,
                           const TensorView& grad_bias, const TensorView& g,
                           const TensorView& input, const TensorView& mean,
                           const TensorView& variance, const TensorView& weight, int64_t groups,
                           double eps) {
  const ChannelSets sets(input, groups);
  const int64_t planes = sets.images * sets.channels;
  const ChannelNumbers<T> factors(weight, T{1});
  const T* x = input.as<const T>();
  const T* grad = g.as<const T>();
  auto* sums = static_cast<TwoSums<T>*>(
      scratch(Scratch::kPanel, static_cast<size_t>(planes + 1) * sizeof(TwoSums<T>)));
  share(sets.count(), 2 * sets.numel(), [&](int64_t begin, int64_t end) {
    for (int64_t set = begin; set < end; ++set) {
      const T center = mean.as<T>()[set];
      const T scale = inverse_deviation(variance.as<T>()[set], eps);
      TwoSums<T> all{};
      for (int64_t i = 0; i < sets.planes(); ++i) {
        const int64_t number = sets.number(set, i);
        const T factor = factors.at(number % sets.channels);
        sums[number] =
            gradient_sums(grad + number * sets.plane, x + number * sets.plane, sets.plane, center);
        all.first += factor * sums[number].first;
        all.second += factor * sums[number].second;
      }
      const auto count = static_cast<T>(sets.numel());
      const T level = scale * all.first / count;
      const T slope = scale * scale * scale * all.second / count;
      for (int64_t i = 0; i < sets.planes(); ++i) {
        const int64_t number = sets.number(set, i);
        const T factor = scale * factors.at(number % sets.channels);
        const T* from = x + number * sets.plane;
        const T* grads = grad + number * sets.plane;
        T* line = grad_input.as<T>() + number * sets.plane;
#pragma GCC ivdep
        for (int64_t j = 0; j < sets.plane; ++j) {
          line[j] = factor * grads[j] - level - (from[j] - center) * slope;
        }
      }
      poll_interrupt(2 * sets.numel());
    }
  });
  share(sets.channels, sets.images, [&](int64_t begin, int64_t end) {
    for (int64_t channel = begin; channel < end; ++channel) {
      T slope = 0, level = 0;
      for (int64_t image = 0; image < sets.images; ++image) {
        const int64_t number = image * sets.channels + channel;
        const T spread = variance.as<T>()[sets.set_of(number)];
        slope += sums[number].second * inverse_deviation(spread, eps);
        level += sums[number].first;
      }
      grad_weight.as<T>()[channel] = slope;
      grad_bias.as<T>()[channel] = level;
    }
  });
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
