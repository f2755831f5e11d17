// hurwitz_zeta: the sum of (input + k)^-order over k = 0, 1, …, for whole orders from 2 on. In
// double.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// For x > 0: the first terms, then the formula of Euler and Maclaurin, which needs a start beyond
// the order; its coefficients are B(2k) / (2k)!.
EAGRE_SCALAR double hurwitz_zeta_of_positive(double x, double order) {
  constexpr double kCoefficients[] = {1.0 / 12,          -1.0 / 720,
                                      1.0 / 30240,       -1.0 / 1209600,
                                      1.0 / 47900160,    -691.0 / 1307674368000.0,
                                      1.0 / 74724249600, -3617.0 / 10670622842880000.0};
  const double start = order < 190 ? 10 + order : 200;
  double sum = 0;
  while (x < start) {
    sum += std::pow(x, -order);
    x += 1;
  }
  const double power = std::pow(x, -order);
  sum += x * power / (order - 1) + power / 2;
  double factor = order * power / x;
  for (int k = 0; k < 8; ++k) {
    sum += kCoefficients[k] * factor;
    factor *= (order + 2 * k + 1) * (order + 2 * k + 2) / (x * x);
  }
  return sum;
}

template <class T>
EAGRE_SCALAR T hurwitz_zeta(T input, T order) {
  const auto x = static_cast<double>(input), s = static_cast<double>(order);
  if (x != x) return input;
  if (x > 0) {
    if (x == std::numeric_limits<double>::infinity()) return T(0);
    return static_cast<T>(hurwitz_zeta_of_positive(x, s));
  }
  const double fraction = x - std::floor(x);
  if (x == -std::numeric_limits<double>::infinity()) return std::numeric_limits<T>::quiet_NaN();
  if (!(fraction > 0)) return std::numeric_limits<T>::infinity();  // a pole
  // The terms below 0 are those of 1 - fraction up to -x, with the sign of the power.
  const double below =
      hurwitz_zeta_of_positive(1 - fraction, s) - hurwitz_zeta_of_positive(1 - x, s);
  const double sign = std::fmod(s, 2) == 0 ? 1 : -1;
  return static_cast<T>(hurwitz_zeta_of_positive(fraction, s) + sign * below);
}

}  // namespace eagre::scalar
