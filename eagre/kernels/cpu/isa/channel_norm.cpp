// batch_norm and group_norm.
#include <cstddef>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/channel_norm_last.h>
#include <eagre/kernels/cpu/isa/channel_norm_rows.h>
#include <eagre/kernels/cpu/isa/channel_sets.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/isa/two_sums.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Input and result are row-major, or both have channels last.
template <class T>
void channel_norm(const TensorView& out, const TensorView& mean, const TensorView& variance,
                  const TensorView& input, const TensorView& weight, const TensorView& bias,
                  int64_t groups, double eps) {
  if (input.numel == 0) return;
  const ChannelSets sets(input, groups);
  const ChannelNumbers<T> factors(weight, T{1}), offsets(bias, T{});
  const T* x = input.as<const T>();
  T* to = out.as<T>();
  if (sets.plane == 1) {
    const auto normalize = sets.across() ? normalize_columns<T> : normalize_groups<T>;
    return normalize(sets, to, mean.as<T>(), variance.as<T>(), x, factors, offsets, eps);
  }
  if (are_last(input)) {
    return normalize_last<T>(LastSets(sets), to, mean.as<T>(), variance.as<T>(), x, factors,
                             offsets, eps);
  }
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
  if (sets.plane == 1 && input.numel != 0) {
    const auto run = sets.across() ? normalize_columns_backward<T> : normalize_groups_backward<T>;
    return run(sets, {grad_input.as<T>(), grad_weight.as<T>(), grad_bias.as<T>(), grad, x,
                      mean.as<const T>(), variance.as<const T>(), factors, eps});
  }
  if (input.numel != 0 && are_last(input)) {
    return normalize_last_backward<T>(
        LastSets(sets), {grad_input.as<T>(), grad_weight.as<T>(), grad_bias.as<T>(), grad, x,
                         mean.as<const T>(), variance.as<const T>(), factors, eps});
  }
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

void channel_norm_f32(const TensorView& out, const TensorView& mean, const TensorView& variance,
                      const TensorView& input, const TensorView& weight, const TensorView& bias,
                      int64_t groups, double eps) {
  channel_norm<float>(out, mean, variance, input, weight, bias, groups, eps);
}
void channel_norm_f64(const TensorView& out, const TensorView& mean, const TensorView& variance,
                      const TensorView& input, const TensorView& weight, const TensorView& bias,
                      int64_t groups, double eps) {
  channel_norm<double>(out, mean, variance, input, weight, bias, groups, eps);
}
void channel_norm_backward_f32(const TensorView& grad_input, const TensorView& grad_weight,
                               const TensorView& grad_bias, const TensorView& g,
                               const TensorView& input, const TensorView& mean,
                               const TensorView& variance, const TensorView& weight, int64_t groups,
                               double eps) {
  channel_norm_backward<float>(grad_input, grad_weight, grad_bias, g, input, mean, variance, weight,
                               groups, eps);
}
void channel_norm_backward_f64(const TensorView& grad_input, const TensorView& grad_weight,
                               const TensorView& grad_bias, const TensorView& g,
                               const TensorView& input, const TensorView& mean,
                               const TensorView& variance, const TensorView& weight, int64_t groups,
                               double eps) {
  channel_norm_backward<double>(grad_input, grad_weight, grad_bias, g, input, mean, variance,
                                weight, groups, eps);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
