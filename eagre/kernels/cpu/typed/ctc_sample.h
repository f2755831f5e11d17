// One sample of ctc_loss: its probabilities, its states, and a step from state to state. Rows of
// numbers per state are padded with kNever, so that steps are whole vectors.
//
// Compiled per instruction set, so everything has internal linkage.
#pragma once

#include <cstdint>
#include <limits>

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/scratch.h>
#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/log.h>

namespace eagre::kernels::cpu::typed {

// The logarithm of 0.
template <class T>
static constexpr T kNever = -std::numeric_limits<T>::infinity();

// Below this a logarithm counts as that of 0.
static constexpr double kLeast = -1e30;

// The logarithm of the sum of three numbers that are given as logarithms, without branches.
template <class T>
static inline __attribute__((always_inline)) T log_of_sum(T a, T b, T c) {
  const T larger = a > b ? a : b, largest = larger > c ? larger : c;
  const T base = largest < T(kLeast) ? T(kLeast) : largest;
  return base + scalar::log(scalar::exp(a - base) + scalar::exp(b - base) + scalar::exp(c - base));
}

struct CtcStates {
  const int64_t* classes;
  int64_t steps, count;  // of the input, and of states
};

static inline CtcStates states_of(const TensorView& states, const TensorView& lengths, int64_t n) {
  const auto* sizes = lengths.as<const int64_t>();
  return {states.as<const int64_t>() + n * states.sizes[1], sizes[n], sizes[lengths.sizes[1] + n]};
}

// 0 where a state may follow the one before it but one: where only a blank between two different
// classes is left out.
template <class T>
static T skip_of(const CtcStates& states, int64_t s) {
  const bool skips = s >= 2 && s < states.count && states.classes[s] != states.classes[s - 2];
  return skips ? T(0) : kNever<T>;
}

// Rows for all states, of the same padded length and with two places more behind it.
template <class T>
struct CtcRows {
  T *skip, *own, *first, *second, *alpha;
  int64_t padded;
};

template <class T>
static CtcRows<T> ctc_rows(int64_t width) {
  constexpr int64_t kRows = 5, kVector = 16, kMore = 2;
  const int64_t padded = (width + kVector - 1) / kVector * kVector, size = padded + kMore;
  T* room =
      static_cast<T*>(scratch(Scratch::kBlock, static_cast<size_t>(kRows * size) * sizeof(T)));
  for (int64_t i = 0; i < kRows * size; ++i) room[i] = kNever<T>;
  return {room, room + size, room + 2 * size, room + 3 * size, room + 4 * size, padded};
}

// The probabilities of the states' classes at one step.
template <class T>
static void load_step(T* own, const T* log_probs, const CtcStates& states) {
  for (int64_t s = 0; s < states.count; ++s) own[s] = log_probs[states.classes[s]];
}

}  // namespace eagre::kernels::cpu::typed
