// What products of matrices multiply: numbers one by one, or pairs of bfloat16 that one
// instruction multiplies and adds up.
#pragma once

#include <eagre/kernels/cpu/isa/vector.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// T: an element of packed matrices.
template <class T>
struct Terms {
  using Sum = T;
  using Vector = typename Lanes<T>::Vector;
  static constexpr int kPerElement = 1;  // along k

  static EAGRE_INLINE Vector load(const T* from) { return Lanes<T>::load(from); }
  static EAGRE_INLINE Vector load_first(const T* from, int count) {
    return Lanes<T>::load_first(from, count);
  }
  static EAGRE_INLINE Vector splat(T element) { return Lanes<T>::splat(element); }
  static EAGRE_INLINE Vector multiply_add(Vector element, Vector columns, Vector sums) {
    return Lanes<T>::multiply_add(element, columns, sums);
  }
};

// The bits of two bfloat16 that follow each other along k, the first in the lower half.
enum class Bf16Pair : uint32_t {};

#if defined(__AVX512BF16__)
template <>
struct Terms<Bf16Pair> {
  using Sum = float;
  using Bits = Lanes<int32_t>;
  using Vector = Bits::Vector;
  static constexpr int kPerElement = 2;

  static EAGRE_INLINE Vector load(const Bf16Pair* from) { return Bits::load(bits(from)); }
  static EAGRE_INLINE Vector load_first(const Bf16Pair* from, int count) {
    return Bits::load_first(bits(from), count);
  }
  static EAGRE_INLINE Vector splat(Bf16Pair element) {
    return Bits::splat(static_cast<int32_t>(element));
  }
  static EAGRE_INLINE Lanes<float>::Vector multiply_add(Vector element, Vector columns,
                                                        Lanes<float>::Vector sums) {
    return (Lanes<float>::Vector)_mm512_dpbf16_ps((__m512)sums, (__m512bh)element,
                                                  (__m512bh)columns);
  }

 private:
  static EAGRE_INLINE const int32_t* bits(const Bf16Pair* from) {
    return reinterpret_cast<const int32_t*>(from);
  }
};
#endif

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
