// The operations that reductions fold with.
#pragma once

#include <limits>

#include <eagre/kernels/cpu/isa/vector.h>
#include <eagre/kernels/scalar/exp.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
struct Plain {
  static constexpr bool kMaps = false;
  static EAGRE_INLINE T map(T value, T) { return value; }
};

template <class T>
struct Add : Plain<T> {
  static constexpr T kIdentity = 0;
  template <class V>
  static EAGRE_INLINE V combine(V a, V b) {
    return a + b;
  }
};

template <class T>
struct Multiply : Plain<T> {
  static constexpr T kIdentity = 1;
  template <class V>
  static EAGRE_INLINE V combine(V a, V b) {
    return a * b;
  }
};

template <class T>
struct Largest : Plain<T> {
  static constexpr T kIdentity = std::numeric_limits<T>::has_infinity
                                     ? -std::numeric_limits<T>::infinity()
                                     : std::numeric_limits<T>::lowest();
  // NaN wins: it is taken when it comes, and nothing is larger.
  template <class V>
  static EAGRE_INLINE V combine(V a, V b) {
    const V larger = b > a ? b : a;
    return b != b ? b : larger;
  }
};

template <class T>
struct Smallest : Plain<T> {
  static constexpr T kIdentity = std::numeric_limits<T>::has_infinity
                                     ? std::numeric_limits<T>::infinity()
                                     : std::numeric_limits<T>::max();
  template <class V>
  static EAGRE_INLINE V combine(V a, V b) {
    const V smaller = b < a ? b : a;
    return b != b ? b : smaller;
  }
};

// Bools are bytes, of which every one but 0 is true (see load_element()).
struct Bools {
  static constexpr bool kMaps = true;
  static EAGRE_INLINE uint8_t map(uint8_t value, uint8_t) { return value != 0 ? 1 : 0; }
};
struct Both : Bools {
  static constexpr uint8_t kIdentity = 1;
  template <class V>
  static EAGRE_INLINE V combine(V a, V b) {
    return a & b;
  }
};
struct Either : Bools {
  static constexpr uint8_t kIdentity = 0;
  template <class V>
  static EAGRE_INLINE V combine(V a, V b) {
    return a | b;
  }
};

// The sum of distances from the context.
template <class T>
struct AddDistances : Add<T> {
  static constexpr bool kMaps = true;
  static EAGRE_INLINE T map(T value, T mean) { return value - mean; }
};

// The sum of squared distances from the context.
template <class T>
struct AddSquares : Add<T> {
  static constexpr bool kMaps = true;
  static EAGRE_INLINE T map(T value, T mean) { return (value - mean) * (value - mean); }
};

// The sum of e^(value - context).
template <class T>
struct AddExp : Add<T> {
  static constexpr bool kMaps = true;
  static EAGRE_INLINE T map(T value, T largest) { return scalar::exp(value - largest); }
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
