// The loops of pointwise kernels. Included by level files only (see levels.h): everything here has
// internal linkage, or the linker could put AVX-512 code where a baseline machine runs it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <eagre/kernels/cpu/guarded_loop.h>

namespace eagre::kernels::cpu {
namespace {

// Attribute k of the call, already of the compute type.
template <class T>
inline T attribute(const void* attributes, int k) {
  constexpr size_t kSlot = 16;
  return *reinterpret_cast<const T*>(static_cast<const char*>(attributes) + k * kSlot);
}

// data[0] is the output; strides are in bytes. Operands may be the same memory as the output, so
// the loops are free of dependencies between elements even where pointers are equal.
template <class T, class F>
inline void unary_loop(char* const* data, const int64_t* strides, int64_t n, F f) {
  constexpr int64_t kStep = sizeof(T);
  constexpr bool kGuarded = is_guarded<decltype(f(T()))>;
  if (strides[0] == kStep && strides[1] == kStep) {
    auto* out = reinterpret_cast<T*>(data[0]);
    const auto* in = reinterpret_cast<const T*>(data[1]);
    if constexpr (kGuarded) {
      guarded_loop(out, in, n, f);
    } else {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) out[i] = f(in[i]);
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    auto* out = reinterpret_cast<T*>(data[0] + i * strides[0]);
    const T in = *reinterpret_cast<const T*>(data[1] + i * strides[1]);
    if constexpr (kGuarded) {
      *out = guarded_element(in, f);
    } else {
      *out = f(in);
    }
  }
}

template <class T, class F>
inline void binary_loop(char* const* data, const int64_t* strides, int64_t n, F f) {
  constexpr int64_t kStep = sizeof(T);
  auto* out = reinterpret_cast<T*>(data[0]);
  const auto* a = reinterpret_cast<const T*>(data[1]);
  const auto* b = reinterpret_cast<const T*>(data[2]);
  if (n == 1) {  // before the choice of loops: small tensors should not pay for it
    *out = f(*a, *b);
  } else if (strides[0] == kStep && strides[1] == kStep && strides[2] == kStep) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = f(a[i], b[i]);
  } else if (strides[0] == kStep && strides[1] == kStep && strides[2] == 0) {
    const T number = *b;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = f(a[i], number);
  } else if (strides[0] == kStep && strides[1] == 0 && strides[2] == kStep) {
    const T number = *a;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = f(number, b[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) {
      *reinterpret_cast<T*>(data[0] + i * strides[0]) =
          f(*reinterpret_cast<const T*>(data[1] + i * strides[1]),
            *reinterpret_cast<const T*>(data[2] + i * strides[2]));
    }
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu
