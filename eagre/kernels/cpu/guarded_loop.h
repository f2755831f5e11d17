// Loops over functions with a second method for few inputs (scalar/guarded.h). Included by level
// files only, through pointwise_loop.h: everything here has internal linkage.
#pragma once

#include <cstddef>
#include <cstdint>

namespace eagre::kernels::cpu {
namespace {

template <class Result>
constexpr bool is_guarded = requires(Result result) { result.rare; };

// f at index i of each operand, computed again where the quick method does not hold.
template <class T, class F, class... Operands>
inline void guarded_element(T* out, int64_t i, F f, Operands... at) {
  const auto result = f(at(i)...);
  out[i] = result.rare ? result.slow(at(i)...) : result.value;
}

// Of consecutive outputs. Each block is looked through first, so that the loop which nearly always
// runs is free of branches; it does not read what it has written, since `out` may be an operand.
template <class T, class F, class... Operands>
inline void guarded_loop(T* out, int64_t n, F f, Operands... at) {
  constexpr int64_t kBlock = 1024;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t end = n - begin < kBlock ? n : begin + kBlock;
    int32_t rare = 0;
    for (int64_t i = begin; i < end; ++i) rare |= f(at(i)...).rare ? 1 : 0;
    if (rare == 0) {
#pragma GCC ivdep
      for (int64_t i = begin; i < end; ++i) out[i] = f(at(i)...).value;
    } else {
      for (int64_t i = begin; i < end; ++i) guarded_element(out, i, f, at...);
    }
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu
