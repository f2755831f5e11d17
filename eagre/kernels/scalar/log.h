// log: the natural logarithm.
#pragma once

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/exp_parts.h>
#include <eagre/kernels/scalar/log_parts.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T log(T input) {
  const LogParts<T> parts = log_parts(input);
  const T tail = log_tail(parts.fraction) + parts.exponent * LogTwo<T>::kLow;
  return log_or_special(input, parts.exponent * LogTwo<T>::kHigh + (parts.fraction + tail));
}

template <class T>
EAGRE_SCALAR Complex<T> log(Complex<T> input) {
  return narrow<T>(wide_log(widen(input)));
}

}  // namespace eagre::scalar
