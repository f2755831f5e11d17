// The operations that reductions fold with, of numbers and of vectors of them.
#pragma once

#include <cstdint>
#include <limits>

#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// What an operation says, besides kIdentity and combine(a, b): `map` is done to each number first,
// with a context that each result has, and `finish` to the result, with the count of numbers.
template <class T>
struct FoldOp {
  static constexpr bool kMaps = false, kFinishes = false;
  static constexpr bool kByParts = false;         // of a complex number, each part on its own
  static constexpr bool kEmptyMeansNone = false;  // an empty list of dimensions; else it means all
  EAGRE_SCALAR T map(T value, T) { return value; }
  EAGRE_SCALAR T finish(T result, int64_t) { return result; }
};

template <class T>
struct Sum : FoldOp<T> {
  static constexpr bool kByParts = true;
  static constexpr T kIdentity = 0;
  template <class V>
  EAGRE_SCALAR V combine(V a, V b) {
    return a + b;
  }
};

template <class T>
struct Mean : Sum<T> {
  static constexpr bool kFinishes = true;
  EAGRE_SCALAR T finish(T total, int64_t count) { return total / static_cast<T>(count); }
};

template <class T>
struct Product : FoldOp<T> {
  static constexpr T kIdentity = 1;
  template <class V>
  EAGRE_SCALAR V combine(V a, V b) {
    return a * b;
  }
};

template <class T>
struct Largest : FoldOp<T> {
  static constexpr T kIdentity = std::numeric_limits<T>::has_infinity
                                     ? -std::numeric_limits<T>::infinity()
                                     : std::numeric_limits<T>::lowest();
  // NaN wins: it is taken when it comes, and nothing is larger.
  template <class V>
  EAGRE_SCALAR V combine(V a, V b) {
    const V larger = b > a ? b : a;
    return b != b ? b : larger;
  }
};

template <class T>
struct Smallest : FoldOp<T> {
  static constexpr T kIdentity = std::numeric_limits<T>::has_infinity
                                     ? std::numeric_limits<T>::infinity()
                                     : std::numeric_limits<T>::max();
  template <class V>
  EAGRE_SCALAR V combine(V a, V b) {
    const V smaller = b < a ? b : a;
    return b != b ? b : smaller;
  }
};

// Bools are bytes, of which every one but 0 is true (see load_element()).
struct Bools : FoldOp<uint8_t> {
  static constexpr bool kMaps = true;
  EAGRE_SCALAR uint8_t map(uint8_t value, uint8_t) { return value != 0 ? 1 : 0; }
};
struct Both : Bools {
  static constexpr uint8_t kIdentity = 1;
  template <class V>
  EAGRE_SCALAR V combine(V a, V b) {
    return a & b;
  }
};
struct Either : Bools {
  static constexpr uint8_t kIdentity = 0;
  template <class V>
  EAGRE_SCALAR V combine(V a, V b) {
    return a | b;
  }
};

template <>
struct Sum<bool> : Either {};
template <>
struct Product<bool> : Both {};
template <>
struct Largest<bool> : Either {};
template <>
struct Smallest<bool> : Both {};

template <class T>
struct All : Both {
  static constexpr bool kEmptyMeansNone = true;
};
template <class T>
struct Any : Either {
  static constexpr bool kEmptyMeansNone = true;
};

// The sum of distances from the context.
template <class T>
struct SumOfDistances : Sum<T> {
  static constexpr bool kMaps = true;
  EAGRE_SCALAR T map(T value, T mean) { return value - mean; }
};

// The sum of squared distances from the context.
template <class T>
struct SumOfSquares : Sum<T> {
  static constexpr bool kMaps = true;
  EAGRE_SCALAR T map(T value, T mean) { return (value - mean) * (value - mean); }
};

// The sum of e^(value - context).
template <class T>
struct SumOfExp : Sum<T> {
  static constexpr bool kMaps = true;
  EAGRE_SCALAR T map(T value, T largest) { return scalar::exp(value - largest); }
};

}  // namespace eagre::scalar
