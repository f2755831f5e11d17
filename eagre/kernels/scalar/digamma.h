// digamma: the derivative of the logarithm of the gamma function. In double for all.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/polynomial.h>

namespace eagre::scalar {

// For x > 0: steps up to 10, and from there on the asymptotic series, whose coefficients are
// Bernoulli numbers B(2k) / (2k).
EAGRE_SCALAR double digamma_of_positive(double x) {
  double below = 0;
  while (x < 10) {
    below -= 1 / x;
    x += 1;
  }
  const double z = 1 / (x * x);
  const double series = z * polynomial(z, 1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132,
                                       -691.0 / 32760, 1.0 / 12);
  return below + (std::log(x) - 0.5 / x - series);
}

template <class T>
EAGRE_SCALAR T digamma(T input) {
  constexpr double kPi = 3.141592653589793;
  const auto x = static_cast<double>(input);
  if (x == 0) return static_cast<T>(std::copysign(std::numeric_limits<double>::infinity(), -x));
  if (x > 0 || x != x) return static_cast<T>(digamma_of_positive(x));
  const double fraction = x - std::floor(x);
  // The poles, with infinity among them.
  if (!(fraction > 0)) return std::numeric_limits<T>::quiet_NaN();
  return static_cast<T>(digamma_of_positive(1 - x) - kPi / std::tan(kPi * fraction));
}

}  // namespace eagre::scalar
