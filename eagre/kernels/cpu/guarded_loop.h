// Loops over functions with a second method for few inputs (scalar/guarded.h). Included by
// files compiled per isa only, through pointwise_loop.h: everything here has internal linkage.
#pragma once

#include <cstddef>
#include <cstdint>

namespace eagre::kernels::cpu {
namespace {

template <class Result>
constexpr bool is_guarded = requires(Result result) {
  result.rare;
};

// One element, by the method that holds.
template <class T, class F>
inline T guarded_element(T in, F f) {
  const auto result = f(in);
  return result.rare ? result.slow(in) : result.value;
}

// The elements of a block that need the second method: side by side, so that this method too may
// become vector code, and taken before the output, which may be the input, is written.
template <class T>
struct RareElements {
  static constexpr int64_t kBlock = 1024;
  T values[kBlock];
  int32_t places[kBlock];
  int64_t count = 0;

  template <class F>
  void collect(const T* in, int64_t n, F f) {
    for (int64_t i = 0; i < n; ++i) {
      if (!f(in[i]).rare) continue;
      values[count] = in[i];
      places[count++] = static_cast<int32_t>(i);
    }
  }
  template <class Result>
  void compute_into(T* out) {
    for (int64_t i = 0; i < count; ++i) values[i] = Result::slow(values[i]);
    for (int64_t i = 0; i < count; ++i) out[places[i]] = values[i];
  }
};

// Each block is looked through first, so that the loop over all elements is free of branches.
template <class T, class F>
inline void guarded_loop(T* out, const T* in, int64_t n, F f) {
  using Rare = RareElements<T>;
  for (int64_t begin = 0; begin < n; begin += Rare::kBlock) {
    const int64_t end = n - begin < Rare::kBlock ? n : begin + Rare::kBlock;
    int32_t any = 0;
    for (int64_t i = begin; i < end; ++i) any |= f(in[i]).rare ? 1 : 0;
    Rare rare;
    if (any != 0) rare.collect(in + begin, end - begin, f);
#pragma GCC ivdep
    for (int64_t i = begin; i < end; ++i) out[i] = f(in[i]).value;
    if (any != 0) rare.template compute_into<decltype(f(T()))>(out + begin);
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu
