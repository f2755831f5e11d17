// isnan and similar, and logical and bitwise functions, of one element.
#pragma once

#include <limits>
#include <type_traits>

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// isnan: not a number; a complex number if one of its parts is none.
template <class T>
EAGRE_SCALAR bool isnan(T input) {
  if constexpr (kIsComplex<T>) {
    return input.real != input.real || input.imag != input.imag;
  } else {
    return input != input;  // never true of integers
  }
}

// isinf: infinite, of either sign; a complex number if one of its parts is.
template <class T>
EAGRE_SCALAR bool isinf(T input) {
  if constexpr (kIsComplex<T>) {
    return isinf(input.real) || isinf(input.imag);
  } else if constexpr (std::numeric_limits<T>::has_infinity) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    return input == kInfinity || input == -kInfinity;
  } else {
    return false;
  }
}

// isfinite: neither NaN nor infinite; a complex number if both parts are.
template <class T>
EAGRE_SCALAR bool isfinite(T input) {
  if constexpr (kIsComplex<T>) {
    return isfinite(input.real) && isfinite(input.imag);
  } else if constexpr (std::numeric_limits<T>::has_infinity) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    return input > -kInfinity && input < kInfinity;
  } else {
    return true;
  }
}

// logical_not: true where the input is 0.
template <class T>
EAGRE_SCALAR bool logical_not(T input) {
  return input == T(0);
}

// logical_and: true where both inputs are not 0.
template <class T>
EAGRE_SCALAR bool logical_and(T input, T other) {
  // Without a branch: both sides are cheap, and the loop becomes vector code.
  return !(input == T(0)) & !(other == T(0));
}

// logical_or: true where one of the inputs is not 0.
template <class T>
EAGRE_SCALAR bool logical_or(T input, T other) {
  // Without a branch: both sides are cheap, and the loop becomes vector code.
  return !(input == T(0)) | !(other == T(0));
}

// logical_xor: true where exactly one of the inputs is not 0.
template <class T>
EAGRE_SCALAR bool logical_xor(T input, T other) {
  // Without a branch: both sides are cheap, and the loop becomes vector code.
  return !(input == T(0)) != !(other == T(0));
}

// bitwise_not: every bit the other way round; of bool, not.
template <class T>
EAGRE_SCALAR T bitwise_not(T input) {
  if constexpr (std::is_same_v<T, bool>) {
    return !input;
  } else {
    return static_cast<T>(~input);
  }
}

// bitwise_and: input & other, bit by bit.
template <class T>
EAGRE_SCALAR T bitwise_and(T input, T other) {
  return static_cast<T>(input & other);
}

// bitwise_or: input | other, bit by bit.
template <class T>
EAGRE_SCALAR T bitwise_or(T input, T other) {
  return static_cast<T>(input | other);
}

// bitwise_xor: input ^ other, bit by bit.
template <class T>
EAGRE_SCALAR T bitwise_xor(T input, T other) {
  return static_cast<T>(input ^ other);
}

// bitwise_left_shift: input * 2^other, wrapped around; 0 for a count that no type has room for.
template <class T>
EAGRE_SCALAR T bitwise_left_shift(T input, T other) {
  constexpr T kBits = sizeof(T) * 8;
  const bool beyond = other < 0 || other >= kBits;
  return beyond ? T(0) : static_cast<T>(input << (beyond ? T(0) : other));
}

// bitwise_right_shift: input / 2^other rounded down; a count beyond the type leaves the sign.
template <class T>
EAGRE_SCALAR T bitwise_right_shift(T input, T other) {
  constexpr T kLast = sizeof(T) * 8 - 1;
  if constexpr (static_cast<T>(-1) > T(0)) return other > kLast ? T(0) : input >> other;
  return static_cast<T>(input >> (other < 0 || other > kLast ? kLast : other));
}

}  // namespace eagre::scalar
