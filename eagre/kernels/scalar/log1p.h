// log1p: log(1 + x) without loss for small x.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/log.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T log1p(T input) {
  const T sum = 1 + input;
  const LogParts<T> parts = log_parts(sum);
  // What rounding the sum lost, scaled as the sum is; where nothing is scaled, x is the fraction.
  const bool small = parts.exponent == 0;
  const T lost = input > 1 ? 1 - (sum - input) : input - (sum - 1);
  const T fraction = small ? input : parts.fraction;
  const T correction = small ? T(0) : lost / sum;
  const T tail = log_tail(fraction) + (parts.exponent * LogTwo<T>::kLow + correction);
  const T result = parts.exponent * LogTwo<T>::kHigh + (fraction + tail);
  const T special = log_or_special(sum, result);
  return std::fabs(input) < T(1e-20) ? input : special;
}

// Near 0 from |1 + z|^2 - 1, which 1 + z has lost.
template <class T>
EAGRE_SCALAR Complex<T> log1p(Complex<T> input) {
  const double x = static_cast<double>(input.real), y = static_cast<double>(input.imag);
  const WideComplex log = wide_log(wide_complex(x + 1, y));
  // Squares of tiny parts vanish before the part itself does.
  const double excess = x * (x + 2) + y * y;
  const double near = excess == 0 ? x : std::log1p(excess) / 2;
  const bool small = std::fabs(x) < 0.5 && std::fabs(y) < 0.5;
  return {static_cast<T>(small ? near : real_part(log)), static_cast<T>(imaginary_part(log))};
}

}  // namespace eagre::scalar
