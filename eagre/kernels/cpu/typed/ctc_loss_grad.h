// The gradient of ctc_loss: how probable it is that a class is read at a step, given the target.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/typed/ctc_loss.h>
#include <eagre/kernels/cpu/typed/ctc_sample.h>
#include <eagre/kernels/scalar/exp.h>

namespace eagre::kernels::cpu::typed {

// `beta`: probabilities of all ways from a state to the end, of one step; `later`: of the next.
template <class T>
void ctc_sample_grad(const CtcSample<T>& sample, const T* alpha, int64_t width, T loss, T factor,
                     T* grad, T* beta, T* later) {
  const int64_t last = sample.count - 1;
  std::fill_n(later, sample.count, kNever<T>);
  for (int64_t t = sample.steps - 1; t >= 0; --t) {
    const bool is_end = t == sample.steps - 1;
    for (int64_t s = 0; s <= last; ++s) {
      const T own = sample.at(t, s);
      const T next = s < last ? later[s + 1] : kNever<T>;
      const T skipped = s + 2 <= last && sample.skips(s + 2) ? later[s + 2] : kNever<T>;
      const T ways =
          is_end ? (s + 1 >= last ? T(0) : kNever<T>) : log_of_sum(later[s], next, skipped);
      beta[s] = ways + own;
      const T both = alpha[t * width + s] + ways;  // `own` is in the first
      if (both != kNever<T>) {
        grad[t * sample.step + sample.states[s]] -= factor * scalar::exp(both + loss);
      }
    }
    std::swap(beta, later);
  }
}

template <class T>
void ctc_loss_grad(const TensorView& out, const TensorView& g, const TensorView& log_probs,
                   const TensorView& states, const TensorView& lengths, const TensorView& loss,
                   const TensorView& log_alpha) {
  const int64_t width = log_alpha.sizes[2], size = log_alpha.sizes[1] * width;
  std::fill_n(out.as<T>(), out.numel, T(0));
  parallel_for(0, loss.numel, ctc_grain(log_alpha), [&](int64_t begin, int64_t end) {
    std::vector<T> room(static_cast<size_t>(2 * width));
    for (int64_t n = begin; n < end; ++n) {
      const T factor = g.as<const T>()[n];
      // Also of an infinite loss that does not count.
      if (factor == 0) continue;
      ctc_sample_grad(CtcSample<T>(log_probs, states, lengths, n),
                      log_alpha.as<const T>() + n * size, width, loss.as<const T>()[n], factor,
                      out.as<T>() + n * out.sizes[2], room.data(), room.data() + width);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
