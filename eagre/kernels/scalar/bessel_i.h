// The modified Bessel functions of the first kind of orders 0 and 1, and those scaled by exp(-|x|).
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// From here on the asymptotic series is exact: the smallest of its terms is then less than a unit
// in the last place.
constexpr double kBesselFar = 20;

// The power series, whose terms are all positive: sum of (x^2 / 4)^k / (k! (k + order)!), times
// (x / 2)^order. For 0 <= x <= kBesselFar.
EAGRE_SCALAR double bessel_i_near(int order, double x) {
  const double quarter = x * x / 4;
  double term = order == 0 ? 1 : x / 2;
  double sum = term;
  for (int k = 1; k < 100 && term > sum * 1e-17; ++k) {
    term *= quarter / (static_cast<double>(k) * (k + order));
    sum += term;
  }
  return sum;
}

// The asymptotic series of exp(-x) I(x), whose terms follow from each other. For x >= kBesselFar.
EAGRE_SCALAR double bessel_i_far_scaled(int order, double x) {
  double term = 1, sum = 1;
  for (int k = 1; k < 40 && std::fabs(term) > 1e-17; ++k) {
    const double odd = 2 * k - 1;
    term *= (odd * odd - 4 * order * order) / (8 * k * x);
    sum += term;
  }
  return sum / std::sqrt(6.283185307179586 * x);
}

// For x >= 0; exp(x) is taken in two steps, since it overflows before the function does.
EAGRE_SCALAR double bessel_i(int order, double x) {
  if (x <= kBesselFar) return bessel_i_near(order, x);
  const double half = std::exp(x / 2);
  return x > 714 ? half * half : half * bessel_i_far_scaled(order, x) * half;
}

// For x >= 0.
EAGRE_SCALAR double bessel_i_scaled(int order, double x) {
  if (x <= kBesselFar) return bessel_i_near(order, x) * std::exp(-x);
  return bessel_i_far_scaled(order, x);
}

// i0: the modified Bessel function of the first kind of order 0.
template <class T>
EAGRE_SCALAR T i0(T input) {
  const double x = std::fabs(static_cast<double>(input));
  return x != x ? input : static_cast<T>(bessel_i(0, x));
}

// i1: the modified Bessel function of the first kind of order 1.
template <class T>
EAGRE_SCALAR T i1(T input) {
  const double x = std::fabs(static_cast<double>(input));
  return x != x ? input : std::copysign(static_cast<T>(bessel_i(1, x)), input);
}

// i0e: exp(-|x|) i0(x).
template <class T>
EAGRE_SCALAR T i0e(T input) {
  const double x = std::fabs(static_cast<double>(input));
  return x != x ? input : static_cast<T>(bessel_i_scaled(0, x));
}

// i1e: exp(-|x|) i1(x).
template <class T>
EAGRE_SCALAR T i1e(T input) {
  const double x = std::fabs(static_cast<double>(input));
  return x != x ? input : std::copysign(static_cast<T>(bessel_i_scaled(1, x)), input);
}

}  // namespace eagre::scalar
