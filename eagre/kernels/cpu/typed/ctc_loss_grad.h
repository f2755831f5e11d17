// The gradient of ctc_loss: how probable it is that a class is read at a step, given the target.
#pragma once

#include <cstdint>
#include <utility>

#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/typed/ctc_loss.h>
#include <eagre/kernels/cpu/typed/ctc_sample.h>
#include <eagre/kernels/scalar/exp.h>

namespace eagre::kernels::cpu::typed {

// One step back. `later`: probabilities of all ways from a state to the end, at the next step; they
// become those at this one. `rows.alpha` becomes the share of each state.
template <class T>
static void ctc_step_back(const CtcRows<T>& rows, T* later, T* ways, T loss, bool is_end,
                          int64_t count) {
  if (is_end) {
    for (int64_t s = 0; s < rows.padded; ++s) {
      ways[s] = s < count && s + 2 >= count ? T(0) : kNever<T>;
    }
  } else {
#pragma GCC ivdep
    for (int64_t s = 0; s < rows.padded; ++s) {
      ways[s] = log_of_sum(later[s], later[s + 1], later[s + 2] + rows.skip[s]);
    }
  }
#pragma GCC ivdep
  for (int64_t s = 0; s < rows.padded; ++s) {
    const T both = rows.alpha[s] + ways[s];
    const T share = scalar::exp(both + loss);
    rows.alpha[s] = both < T(kLeast) ? T(0) : share;
    ways[s] = ways[s] + rows.own[s];
  }
}

template <class T>
static void ctc_sample_grad(const CtcStates& states, const T* log_probs, int64_t step,
                            const T* alpha, int64_t width, T loss, T factor, T* grad) {
  const CtcRows<T> rows = ctc_rows<T>(width);
  for (int64_t s = 0; s < states.count; ++s) rows.skip[s] = skip_of<T>(states, s + 2);
  T *later = rows.first, *ways = rows.second;
  for (int64_t t = states.steps - 1; t >= 0; --t) {
    load_step(rows.own, log_probs + t * step, states);
    for (int64_t s = 0; s < states.count; ++s) rows.alpha[s] = alpha[t * width + s];
    ctc_step_back(rows, later, ways, loss, t == states.steps - 1, states.count);
    for (int64_t s = 0; s < states.count; ++s) {
      grad[t * step + states.classes[s]] -= factor * rows.alpha[s];
    }
    std::swap(later, ways);
  }
}

template <class T>
static void ctc_loss_grad(const TensorView& out, const TensorView& g, const TensorView& log_probs,
                          const TensorView& states, const TensorView& lengths,
                          const TensorView& loss, const TensorView& log_alpha) {
  const int64_t width = log_alpha.sizes[2], size = log_alpha.sizes[1] * width;
  const int64_t classes = log_probs.sizes[2], step = log_probs.sizes[1] * classes;
  T* const grads = out.as<T>();
  for (int64_t i = 0; i < out.numel; ++i) grads[i] = 0;
  parallel_for(0, loss.numel, ctc_grain(log_alpha), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const T factor = g.as<const T>()[n];
      // Also of an infinite loss that does not count.
      if (factor == 0) continue;
      ctc_sample_grad<T>(states_of(states, lengths, n), log_probs.as<const T>() + n * classes, step,
                         log_alpha.as<const T>() + n * size, width, loss.as<const T>()[n], factor,
                         grads + n * classes);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
