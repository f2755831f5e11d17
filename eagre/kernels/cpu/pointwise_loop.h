// The loops of pointwise kernels. Included by files compiled per isa only: everything here
// has internal linkage, or the linker could put AVX-512 code where a baseline machine runs it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <eagre/core/load_element.h>
#include <eagre/kernels/cpu/guarded_loop.h>

namespace eagre::kernels::cpu {
namespace {

// Attribute k of the call, already of the compute type.
template <class T>
inline T attribute(const void* attributes, int k) {
  constexpr size_t kStride = 16;
  return *reinterpret_cast<const T*>(static_cast<const char*>(attributes) + k * kStride);
}

// data[0] is the output; strides are in bytes. Operands may be the same memory as the output, so
// the loops are free of dependencies between elements even where pointers are equal.
template <class Out, class A, class F>
inline void unary_loop(char* const* data, const int64_t* strides, int64_t n, F f) {
  constexpr bool kGuarded = is_guarded<decltype(f(A()))>;
  if (strides[0] == sizeof(Out) && strides[1] == sizeof(A)) {
    auto* out = reinterpret_cast<Out*>(data[0]);
    const auto* a = reinterpret_cast<const A*>(data[1]);
    if constexpr (kGuarded) {
      guarded_loop(out, a, n, f);
    } else {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) out[i] = f(load_element(a[i]));
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    auto* out = reinterpret_cast<Out*>(data[0] + i * strides[0]);
    const A a = load_element(*reinterpret_cast<const A*>(data[1] + i * strides[1]));
    if constexpr (kGuarded) {
      *out = guarded_element(a, f);
    } else {
      *out = f(a);
    }
  }
}

template <class Out, class A, class B, class F>
inline void binary_loop(char* const* data, const int64_t* strides, int64_t n, F f) {
  auto* out = reinterpret_cast<Out*>(data[0]);
  const auto* a = reinterpret_cast<const A*>(data[1]);
  const auto* b = reinterpret_cast<const B*>(data[2]);
  const bool plain_out = strides[0] == sizeof(Out);
  if (n == 1) {  // before the choice of loops: small tensors should not pay for it
    *out = f(load_element(*a), load_element(*b));
  } else if (plain_out && strides[1] == sizeof(A) && strides[2] == sizeof(B)) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = f(load_element(a[i]), load_element(b[i]));
  } else if (plain_out && strides[1] == sizeof(A) && strides[2] == 0) {
    const B number = load_element(*b);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = f(load_element(a[i]), number);
  } else if (plain_out && strides[1] == 0 && strides[2] == sizeof(B)) {
    const A number = load_element(*a);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = f(number, load_element(b[i]));
  } else {
    for (int64_t i = 0; i < n; ++i) {
      *reinterpret_cast<Out*>(data[0] + i * strides[0]) =
          f(load_element(*reinterpret_cast<const A*>(data[1] + i * strides[1])),
            load_element(*reinterpret_cast<const B*>(data[2] + i * strides[2])));
    }
  }
}

template <class Out, class A, class B, class C, class F>
inline void ternary_loop(char* const* data, const int64_t* strides, int64_t n, F f) {
  if (strides[0] == sizeof(Out) && strides[1] == sizeof(A)) {
    auto* out = reinterpret_cast<Out*>(data[0]);
    const auto* a = reinterpret_cast<const A*>(data[1]);
    const auto* b = reinterpret_cast<const B*>(data[2]);
    const auto* c = reinterpret_cast<const C*>(data[3]);
    const bool plain_b = strides[2] == sizeof(B), plain_c = strides[3] == sizeof(C);
    if (plain_b && plain_c) {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i)
        out[i] = f(load_element(a[i]), load_element(b[i]), load_element(c[i]));
      return;
    }
    if (plain_b && strides[3] == 0) {
      const C number = load_element(*c);
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) out[i] = f(load_element(a[i]), load_element(b[i]), number);
      return;
    }
    if (strides[2] == 0 && plain_c) {
      const B number = load_element(*b);
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) out[i] = f(load_element(a[i]), number, load_element(c[i]));
      return;
    }
    if (strides[2] == 0 && strides[3] == 0) {
      const B first = load_element(*b);
      const C second = load_element(*c);
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) out[i] = f(load_element(a[i]), first, second);
      return;
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<Out*>(data[0] + i * strides[0]) =
        f(load_element(*reinterpret_cast<const A*>(data[1] + i * strides[1])),
          load_element(*reinterpret_cast<const B*>(data[2] + i * strides[2])),
          load_element(*reinterpret_cast<const C*>(data[3] + i * strides[3])));
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu
