// Comparisons of two elements, the larger and the smaller one, and bounds.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// eq: input == other.
template <class T>
EAGRE_SCALAR bool eq(T input, T other) {
  return input == other;
}

// ne: input != other.
template <class T>
EAGRE_SCALAR bool ne(T input, T other) {
  return !(input == other);
}

// lt: input < other.
template <class T>
EAGRE_SCALAR bool lt(T input, T other) {
  return input < other;
}

// le: input <= other.
template <class T>
EAGRE_SCALAR bool le(T input, T other) {
  return input <= other;
}

// gt: input > other.
template <class T>
EAGRE_SCALAR bool gt(T input, T other) {
  return input > other;
}

// ge: input >= other.
template <class T>
EAGRE_SCALAR bool ge(T input, T other) {
  return input >= other;
}

// maximum: the larger of two; NaN if one of them is.
template <class T>
EAGRE_SCALAR T maximum(T input, T other) {
  // Only NaN differs from itself; comparisons with it are false, so the other way round is served.
  return input > other || input != input ? input : other;
}

// minimum: the smaller of two; NaN if one of them is.
template <class T>
EAGRE_SCALAR T minimum(T input, T other) {
  // Only NaN differs from itself; comparisons with it are false, so the other way round is served.
  return input < other || input != input ? input : other;
}

// fmax: the larger of two; of a NaN and a number, the number.
template <class T>
EAGRE_SCALAR T fmax(T input, T other) {
  return other > input || input != input ? other : input;
}

// fmin: the smaller of two; of a NaN and a number, the number.
template <class T>
EAGRE_SCALAR T fmin(T input, T other) {
  return other < input || input != input ? other : input;
}

// clamp: the input, but not below min, and not above max, which counts more; NaN if one of them is.
template <class T>
EAGRE_SCALAR T clamp(T input, T min, T max) {
  return minimum(maximum(input, min), max);
}

}  // namespace eagre::scalar
