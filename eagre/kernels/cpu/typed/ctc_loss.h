// ctc_loss: probabilities of all ways to each state, step by step, as logarithms.
// A. Graves et al., "Connectionist Temporal Classification", 2006, section 4.1.
#pragma once

#include <cstdint>
#include <utility>

#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/typed/ctc_sample.h>

namespace eagre::kernels::cpu::typed {

// Samples for one thread at a time.
static inline int64_t ctc_grain(const TensorView& log_alpha) {
  constexpr int64_t kStates = 4096;
  const int64_t each = log_alpha.sizes[1] * log_alpha.sizes[2];
  return each >= kStates ? 1 : kStates / (each < 1 ? 1 : each);
}

// `step`: from the probabilities of one step to those of the next. Rows begin with two places
// before the first state.
template <class T>
static T ctc_sample_loss(const CtcStates& states, const T* log_probs, int64_t step, T* alpha,
                         int64_t width) {
  if (states.steps == 0) return states.count == 1 ? T(0) : -kNever<T>;
  const CtcRows<T> rows = ctc_rows<T>(width);
  for (int64_t s = 0; s < states.count; ++s) rows.skip[s] = skip_of<T>(states, s);
  T *before = rows.first, *ways = rows.second;
  load_step(rows.own, log_probs, states);
  for (int64_t s = 0; s < 2 && s < states.count; ++s) ways[s + 2] = rows.own[s];
  for (int64_t t = 0;; ++t) {
    for (int64_t s = 0; s < states.count; ++s) alpha[t * width + s] = ways[s + 2];
    if (t == states.steps - 1) break;
    std::swap(before, ways);
    load_step(rows.own, log_probs + (t + 1) * step, states);
#pragma GCC ivdep
    for (int64_t s = 0; s < rows.padded; ++s) {
      ways[s + 2] =
          log_of_sum(before[s + 2], before[s + 1], before[s] + rows.skip[s]) + rows.own[s];
    }
  }
  // The last state, and the one before it if there is one.
  return -log_of_sum(ways[states.count + 1], ways[states.count], kNever<T>);
}

template <class T>
static void ctc_loss(const TensorView& loss, const TensorView& log_alpha,
                     const TensorView& log_probs, const TensorView& states,
                     const TensorView& lengths) {
  const int64_t width = log_alpha.sizes[2], size = log_alpha.sizes[1] * width;
  const int64_t classes = log_probs.sizes[2];
  T* const all = log_alpha.as<T>();
  for (int64_t i = 0; i < log_alpha.numel; ++i) all[i] = kNever<T>;
  parallel_for(0, loss.numel, ctc_grain(log_alpha), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      loss.as<T>()[n] =
          ctc_sample_loss<T>(states_of(states, lengths, n), log_probs.as<const T>() + n * classes,
                             log_probs.sizes[1] * classes, all + n * size, width);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
