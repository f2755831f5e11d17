// ctc_loss: probabilities of all ways to each state, step by step, as logarithms.
// A. Graves et al., "Connectionist Temporal Classification", 2006, section 4.1.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/typed/ctc_sample.h>

namespace eagre::kernels::cpu::typed {

// Samples for one thread at a time.
inline int64_t ctc_grain(const TensorView& log_alpha) {
  constexpr int64_t kStates = 4096;
  const int64_t each = log_alpha.sizes[1] * log_alpha.sizes[2];
  return std::max<int64_t>(1, kStates / std::max<int64_t>(1, each));
}

template <class T>
T ctc_sample_loss(const CtcSample<T>& sample, T* alpha, int64_t width) {
  if (sample.steps == 0) return sample.count == 1 ? T(0) : -kNever<T>;
  const int64_t last = sample.count - 1;
  alpha[0] = sample.at(0, 0);
  if (last > 0) alpha[1] = sample.at(0, 1);
  for (int64_t t = 1; t < sample.steps; ++t) {
    const T* before = alpha + (t - 1) * width;
    for (int64_t s = 0; s <= last; ++s) {
      const T next = s > 0 ? before[s - 1] : kNever<T>;
      const T skipped = sample.skips(s) ? before[s - 2] : kNever<T>;
      alpha[t * width + s] = log_of_sum(before[s], next, skipped) + sample.at(t, s);
    }
  }
  const T* end = alpha + (sample.steps - 1) * width;
  return -log_of_sum(end[last], last > 0 ? end[last - 1] : kNever<T>, kNever<T>);
}

template <class T>
void ctc_loss(const TensorView& loss, const TensorView& log_alpha, const TensorView& log_probs,
              const TensorView& states, const TensorView& lengths) {
  const int64_t width = log_alpha.sizes[2], size = log_alpha.sizes[1] * width;
  parallel_for(0, loss.numel, ctc_grain(log_alpha), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      T* const alpha = log_alpha.as<T>() + n * size;
      std::fill_n(alpha, size, kNever<T>);
      loss.as<T>()[n] = ctc_sample_loss(CtcSample<T>(log_probs, states, lengths, n), alpha, width);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
