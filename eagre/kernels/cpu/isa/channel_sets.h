// Sets of planes of channels (N, C, …) that share their mean and variance: a channel of all images
// (batch_norm) or a group of channels of one image (group_norm). A set is read from the caches
// after its first pass, so sets are the tasks that threads share.
#pragma once

#include <cstdint>

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/elementary.h>
#include <eagre/kernels/cpu/isa/two_sums.h>

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
  int64_t set_of(int64_t number) const { return across() ? number % channels : number / planes(); }
};

// A number of each channel, `otherwise` if there are none.
template <class T>
struct ChannelNumbers {
  const T* data;
  int64_t stride;
  T otherwise;

  ChannelNumbers(const TensorView& view, T value)
      : data(view.as<const T>()),
        stride(view.data == nullptr ? 0 : view.strides[0]),
        otherwise(value) {}
  T at(int64_t channel) const { return data == nullptr ? otherwise : data[channel * stride]; }
};

template <class T>
struct Statistics {
  T mean, variance;
};

// From a rough mean and the sums of distances to it.
template <class T>
Statistics<T> statistics_from(T rough, TwoSums<T> distances, T count) {
  const T rest = distances.first / count;  // what the rough mean has lost
  const T variance = distances.second / count - rest * rest;
  return {rough + rest, variance > 0 || variance != variance ? variance : T{}};
}

template <class T>
Statistics<T> statistics_of(const ChannelSets& sets, const T* x, int64_t set) {
  const auto count = static_cast<T>(sets.numel());
  const auto each_run = [&](const auto& add) {
    if (!sets.across()) return add(x + set * sets.numel(), sets.numel());
    for (int64_t i = 0; i < sets.images; ++i) {
      add(x + sets.number(set, i) * sets.plane, sets.plane);
    }
  };
  T sum = 0;
  TwoSums<T> all{};
  each_run([&](const T* run, int64_t n) { sum += fold_row<scalar::Sum<T>>(run, 1, n, T{}); });
  const T rough = sum / count;
  each_run([&](const T* run, int64_t n) {
    const TwoSums<T> sums = distance_sums(run, n, rough);
    all.first += sums.first;
    all.second += sums.second;
  });
  return statistics_from(rough, all, count);
}

template <class T>
T inverse_deviation(T variance, double eps) {
  return 1 / square_root(variance + static_cast<T>(eps));
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
