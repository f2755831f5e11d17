// log: the natural logarithm.
#pragma once

#include <eagre/kernels/scalar/log_parts.h>

namespace eagre::scalar {

// ln(2) in two parts, the first so short that its multiples are exact.
template <class T>
struct LogTwo;
template <>
struct LogTwo<float> {
  static constexpr float kHigh = 0.693359375F, kLow = -2.12194440e-4F;
};
template <>
struct LogTwo<double> {
  static constexpr double kHigh = 0.6931471803691238, kLow = 1.9082149292705877e-10;
};

template <class T>
EAGRE_SCALAR T log(T input) {
  const LogParts<T> parts = log_parts(input);
  const T tail = log_tail(parts.fraction) + parts.exponent * LogTwo<T>::kLow;
  return log_or_special(input, parts.exponent * LogTwo<T>::kHigh + (parts.fraction + tail));
}

}  // namespace eagre::scalar
