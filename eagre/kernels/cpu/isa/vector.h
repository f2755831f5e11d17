// Vectors as wide as the isa's, for kernels that must hold their sums in registers. Everything
// here has internal linkage, as all code compiled per isa.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

#define EAGRE_INLINE inline __attribute__((always_inline))

template <class T>
struct Lanes {
  static constexpr int kCount = kVectorBytes / static_cast<int>(sizeof(T));
  typedef T Vector
      __attribute__((vector_size(kVectorBytes)));  // NOLINT: `using` takes no attribute

  static EAGRE_INLINE Vector load(const T* from) {
    Vector v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  }
  static EAGRE_INLINE void store(T* to, Vector v) { std::memcpy(to, &v, sizeof(v)); }
  static EAGRE_INLINE Vector splat(T value) { return value - Vector{}; }

  // acc + a * b, rounded once where the isa can.
  static EAGRE_INLINE Vector multiply_add(Vector a, Vector b, Vector acc) {
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, float>)
      return (Vector)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)acc);
    if constexpr (std::is_same_v<T, double>)
      return (Vector)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)acc);
#elif defined(__AVX2__)
    if constexpr (std::is_same_v<T, float>)
      return (Vector)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)acc);
    if constexpr (std::is_same_v<T, double>)
      return (Vector)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)acc);
#endif
    return acc + a * b;
  }

  // The first `count` (1 to kCount) elements; the other lanes are zero and their memory is not
  // read.
  static EAGRE_INLINE Vector load_first(const T* from, int count) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
      return (Vector)_mm512_maskz_loadu_epi32(static_cast<__mmask16>(0xFFFFU >> (16 - count)),
                                              from);
    } else {
      return (Vector)_mm512_maskz_loadu_epi64(static_cast<__mmask8>(0xFFU >> (8 - count)), from);
    }
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) {
      return (Vector)_mm256_maskload_epi32(reinterpret_cast<const int*>(from), mask(count));
    } else {
      return (Vector)_mm256_maskload_epi64(reinterpret_cast<const long long*>(from), mask(count));
    }
#else
    Vector v{};
    for (int i = 0; i < count; ++i) v[i] = from[i];
    return v;
#endif
  }
  static EAGRE_INLINE void store_first(T* to, Vector v, int count) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
      _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(0xFFFFU >> (16 - count)), (__m512i)v);
    } else {
      _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(0xFFU >> (8 - count)), (__m512i)v);
    }
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) {
      _mm256_maskstore_epi32(reinterpret_cast<int*>(to), mask(count), (__m256i)v);
    } else {
      _mm256_maskstore_epi64(reinterpret_cast<long long*>(to), mask(count), (__m256i)v);
    }
#else
    for (int i = 0; i < count; ++i) to[i] = v[i];
#endif
  }

  // The same from none to all.
  static EAGRE_INLINE Vector load_some(const T* from, int count) {
    if (count == kCount) return load(from);
    return count > 0 ? load_first(from, count) : Vector{};
  }
  static EAGRE_INLINE void store_some(T* to, Vector v, int count) {
    if (count == kCount) return store(to, v);
    if (count > 0) store_first(to, v, count);
  }

  // v with `filler` in all lanes but the first `count`, which may be none or more than there are.
  static EAGRE_INLINE Vector first_of(Vector v, int64_t count, T filler) {
    if (count >= kCount) return v;
    const Places limit = static_cast<Place>(count < 0 ? 0 : count) - Places{};
    return numbered(std::make_integer_sequence<Place, kCount>()) < limit ? v : splat(filler);
  }
  // Every second lane of both, the first among them.
  static EAGRE_INLINE Vector even_of(Vector a, Vector b) {
    return even(a, b, std::make_integer_sequence<int, kCount>());
  }
  // 0, 1, 2, …
  static EAGRE_INLINE Vector numbers() {
    return counted(std::make_integer_sequence<Place, kCount>());
  }
  // The lanes from kBy on, in the place of the first ones.
  template <int kBy>
  static EAGRE_INLINE Vector lanes_from(Vector v) {
    return moved<kBy>(v, std::make_integer_sequence<int, kCount>());
  }

 private:
  using Place = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  typedef Place Places __attribute__((vector_size(kVectorBytes)));  // NOLINT: as Vector
  template <Place... kLane>
  static EAGRE_INLINE Places numbered(std::integer_sequence<Place, kLane...>) {
    return Places{kLane...};
  }
  template <Place... kLane>
  static EAGRE_INLINE Vector counted(std::integer_sequence<Place, kLane...>) {
    return Vector{static_cast<T>(kLane)...};
  }
  template <int... kLane>
  static EAGRE_INLINE Vector even(Vector a, Vector b, std::integer_sequence<int, kLane...>) {
    return __builtin_shufflevector(a, b, (2 * kLane)...);
  }
  template <int kBy, int... kLane>
  static EAGRE_INLINE Vector moved(Vector v, std::integer_sequence<int, kLane...>) {
    return __builtin_shufflevector(v, v, ((kLane + kBy) % kCount)...);
  }

#if defined(__AVX2__) && !defined(__AVX512F__)
  static EAGRE_INLINE __m256i mask(int count) {
    if constexpr (sizeof(T) == 4) {
      return _mm256_cmpgt_epi32(_mm256_set1_epi32(count),
                                _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    } else {
      return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
    }
  }
#endif
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
