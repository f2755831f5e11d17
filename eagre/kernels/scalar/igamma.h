// The incomplete gamma functions, as shares of the whole one. In double.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>
#include <eagre/kernels/scalar/special.h>

namespace eagre::scalar {

// x^a e^-x / gamma(a + 1). For large a from Stirling's series, as the three would cancel.
EAGRE_SCALAR double igamma_factor(double a, double x) {
  if (a < 100) return std::exp(a * std::log(x) - x - scalar::lgamma(a + 1));
  const double off = (x - a) / a, z = 1 / a;
  const double stirling =
      1 + z * (1.0 / 12 + z * (1.0 / 288 - z * (139.0 / 51840 + z * (571.0 / 2488320))));
  return std::exp(-a * (off - std::log1p(off))) / std::sqrt(6.283185307179586 * a) / stirling;
}

// The lower share by its power series, for x below about a.
EAGRE_SCALAR double igamma_series(double a, double x) {
  double term = 1, sum = 1;
  for (double k = a + 1; term > sum * 1e-17; k += 1) {
    term *= x / k;
    sum += term;
  }
  return sum * igamma_factor(a, x);
}

// The upper share by its continued fraction, evaluated from the front (W. J. Lentz).
EAGRE_SCALAR double igamma_fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / b, product = d;
  for (int k = 1; k < 20000; ++k) {
    const double numerator = -k * (k - a);
    b += 2;
    d = numerator * d + b;
    if (std::fabs(d) < kTiny) d = kTiny;
    c = b + numerator / c;
    if (std::fabs(c) < kTiny) c = kTiny;
    d = 1 / d;
    const double step = d * c;
    product *= step;
    if (std::fabs(step - 1) < 1e-16) break;
  }
  return product * a * igamma_factor(a, x);
}

// Of large a, nearly the normal distribution (N. M. Temme, SIAM J. Math. Anal. 10, 1979), of which
// the first terms are enough here. Lower or, with `sign` -1, upper share.
EAGRE_SCALAR double igamma_uniform(double a, double x, double sign) {
  const double off = (x - a) / a;
  const double distance = std::sqrt(std::fmax(2 * (off - std::log1p(off)), 0.0));
  const double eta = off < 0 ? -distance : distance;
  if (distance > 1) return sign * eta > 0 ? 1 : 0;  // a is large
  const double rest = -1.0 / 3 + eta * (1.0 / 12 + eta * (-2.0 / 135 + eta / 864)) - 1 / (540 * a);
  const double density = std::exp(-a * eta * eta / 2) / std::sqrt(6.283185307179586 * a);
  return 0.5 * std::erfc(-sign * eta * std::sqrt(a / 2)) - sign * density * rest;
}

// Both shares by whichever is the smaller one, or NaN, 0 and 1 at the edges.
EAGRE_SCALAR double igamma_share(double a, double x, bool upper) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (!(a >= 0) || !(x >= 0) || (a == 0 && x == 0) || (a == kInfinity && x == kInfinity)) {
    return kNan;
  }
  if (x == 0 || a == kInfinity) return upper ? 1 : 0;
  if (a == 0 || x == kInfinity) return upper ? 0 : 1;
  if (a > 1e6) return igamma_uniform(a, x, upper ? -1 : 1);
  if (x < a + 1) {
    const double lower = igamma_series(a, x);
    return upper ? 1 - lower : lower;
  }
  const double share = igamma_fraction(a, x);
  return upper ? share : 1 - share;
}

// igamma: the lower incomplete gamma function as a share.
template <class T>
EAGRE_SCALAR T igamma(T input, T other) {
  return static_cast<T>(igamma_share(input, other, false));
}

// igammac: the upper one.
template <class T>
EAGRE_SCALAR T igammac(T input, T other) {
  return static_cast<T>(igamma_share(input, other, true));
}

}  // namespace eagre::scalar
