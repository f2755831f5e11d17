// One sample of ctc_loss: its probabilities, its states, and sums of probabilities given as
// logarithms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/log.h>

namespace eagre::kernels::cpu::typed {

template <class T>
inline constexpr T kNever = -std::numeric_limits<T>::infinity();

// The logarithm of the sum of three numbers that are given as logarithms.
template <class T>
T log_of_sum(T a, T b, T c) {
  const T largest = std::max(std::max(a, b), c);
  if (largest == kNever<T>) return largest;
  return largest + scalar::log(scalar::exp(a - largest) + scalar::exp(b - largest) +
                               scalar::exp(c - largest));
}

template <class T>
struct CtcSample {
  const T* log_probs;  // of this sample, at the first step
  int64_t step;        // from one step to the next
  const int64_t* states;
  int64_t steps, count;  // how many of both there are

  CtcSample(const TensorView& all, const TensorView& all_states, const TensorView& lengths,
            int64_t sample)
      : log_probs(all.as<const T>() + sample * all.sizes[2]),
        step(all.sizes[1] * all.sizes[2]),
        states(all_states.as<const int64_t>() + sample * all_states.sizes[1]),
        steps(lengths.as<const int64_t>()[sample]),
        count(lengths.as<const int64_t>()[lengths.sizes[1] + sample]) {}

  T at(int64_t t, int64_t state) const { return log_probs[t * step + states[state]]; }
  // A blank may be left out between two different classes: may `state` follow the one before it
  // but one?
  bool skips(int64_t state) const { return state >= 2 && states[state] != states[state - 2]; }
};

}  // namespace eagre::kernels::cpu::typed
