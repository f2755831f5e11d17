// One row of a step of recurrent networks: from the products of a sequence's input and state with
// the weights to its new state, and back. LSTM: Hochreiter and Schmidhuber, 1997, with the gates
// in the order i, f, g, o; GRU: Cho et al., 2014, in the order r, z, n.
#pragma once

#include <cstdint>

#include <eagre/kernels/cpu/isa/vector.h>
#include <eagre/kernels/scalar/sigmoid.h>
#include <eagre/kernels/scalar/tanh.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
EAGRE_INLINE void sigmoid_row(T* row, const T* bias, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) row[i] = scalar::sigmoid(row[i] + bias[i]);
}
template <class T>
EAGRE_INLINE void tanh_row(T* row, const T* bias, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) row[i] = scalar::tanh(row[i] + bias[i]);
}
template <class T>
EAGRE_INLINE void relu_row(T* row, const T* bias, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const T value = row[i] + bias[i];
    row[i] = value < 0 ? T{} : value;  // NaN stays
  }
}

// `gates` become what they open for, `cell` the new one, which is kept in `kept` too.
template <class T>
void lstm_row(T* hidden, T* cell, T* kept, T* gates, const T* bias, int64_t n) {
  sigmoid_row(gates, bias, 2 * n);
  tanh_row(gates + 2 * n, bias + 2 * n, n);
  sigmoid_row(gates + 3 * n, bias + 3 * n, n);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const T value = gates[n + i] * cell[i] + gates[i] * gates[2 * n + i];
    cell[i] = value;
    kept[i] = value;
    hidden[i] = gates[3 * n + i] * scalar::tanh(value);
  }
}

// `gates` are open; `hidden` and `cell`: the gradients of the new state, of which `cell` becomes
// that of the state `before`.
template <class T>
void lstm_row_back(T* grads, T* cell, const T* hidden, const T* gates, const T* kept,
                   const T* before, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const T in = gates[i], forget = gates[n + i], fresh = gates[2 * n + i], out = gates[3 * n + i];
    const T shown = scalar::tanh(kept[i]);
    const T change = cell[i] + hidden[i] * out * (1 - shown * shown);
    grads[i] = change * fresh * in * (1 - in);
    grads[n + i] = change * before[i] * forget * (1 - forget);
    grads[2 * n + i] = change * in * (1 - fresh * fresh);
    grads[3 * n + i] = hidden[i] * shown * out * (1 - out);
    cell[i] = change * forget;
  }
}

// `inner`: the product of the old state for n, which r is multiplied with; it gets its bias, the
// last part of `bias`.
template <class T>
void gru_row(T* hidden, T* inner, const T* before, T* gates, const T* bias, int64_t n) {
  sigmoid_row(gates, bias, 2 * n);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    inner[i] += bias[3 * n + i];
    const T fresh = scalar::tanh(gates[2 * n + i] + bias[2 * n + i] + gates[i] * inner[i]);
    gates[2 * n + i] = fresh;
    hidden[i] = fresh + gates[n + i] * (before[i] - fresh);
  }
}

// Gradients of what the input gives to the gates, and of what the old state gives. `hidden`
// becomes the part of the old state's that goes past them.
template <class T>
void gru_row_back(T* grads, T* state_grads, T* hidden, const T* gates, const T* inner,
                  const T* before, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const T reset = gates[i], stay = gates[n + i], fresh = gates[2 * n + i];
    const T change = hidden[i] * (1 - stay) * (1 - fresh * fresh);
    const T of_reset = change * inner[i] * reset * (1 - reset);
    const T of_stay = hidden[i] * (before[i] - fresh) * stay * (1 - stay);
    grads[i] = of_reset;
    grads[n + i] = of_stay;
    grads[2 * n + i] = change;
    state_grads[i] = of_reset;
    state_grads[n + i] = of_stay;
    state_grads[2 * n + i] = change * reset;
    hidden[i] *= stay;
  }
}

template <class T>
void tanh_row_back(T* grads, const T* hidden, const T* result, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) grads[i] = hidden[i] * (1 - result[i] * result[i]);
}
template <class T>
void relu_row_back(T* grads, const T* hidden, const T* result, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) grads[i] = result[i] > 0 ? hidden[i] : T{};
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
