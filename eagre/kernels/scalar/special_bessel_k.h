// The modified Bessel functions of the second kind of orders 0 and 1, and those scaled by exp(x).
// In double.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// The power series (DLMF 10.31.1 and 10.31.2). For 0 < x < 2.
EAGRE_SCALAR double bessel_k_near(int order, double x) {
  constexpr double kGamma = 0.57721566490153286;
  const double step = x * x / 4, log = std::log(x / 2);
  double term = order == 0 ? 1 : x / 2, harmonic = 0, sum = 0, rest = 0;
  for (int k = 0; k < 20; ++k) {
    if (k > 0) {
      term *= step / (static_cast<double>(k) * (k + order));
      harmonic += 1.0 / k;
    }
    sum += term;
    rest += term * (order == 0 ? harmonic - kGamma : harmonic + 0.5 / (k + 1) - kGamma);
  }
  return order == 0 ? rest - log * sum : 1 / x + log * sum - rest;
}

// exp(x) K(x), the integral of exp(x (1 - cosh t)) cosh(order t) over t > 0 (DLMF 10.32.9), by
// trapezoids, which are exact here since all derivatives vanish at both ends. For 2 <= x < 25.
EAGRE_SCALAR double bessel_k_middle_scaled(int order, double x) {
  constexpr double kStep = 0.125;
  double sum = 0.5;
  for (int i = 1; i < 60; ++i) {
    const double rise = std::exp(kStep * i), wide = (rise + 1 / rise) / 2;
    const double term = std::exp(x * (1 - wide)) * (order == 0 ? 1 : wide);
    sum += term;
    if (term < 1e-18 * sum) break;
  }
  return kStep * sum;
}

// The asymptotic series (DLMF 10.40.2). For x >= 25.
EAGRE_SCALAR double bessel_k_far_scaled(int order, double x) {
  double term = 1, sum = 1;
  for (int k = 1; k < 40 && std::fabs(term) > 1e-17; ++k) {
    const double odd = 2 * k - 1;
    term *= (4.0 * order * order - odd * odd) / (8.0 * k * x);
    sum += term;
  }
  return sum * std::sqrt(1.5707963267948966 / x);
}

EAGRE_SCALAR double bessel_k(int order, double x, bool is_scaled) {
  if (x == 0) return std::numeric_limits<double>::infinity();
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x < 2) return bessel_k_near(order, x) * (is_scaled ? std::exp(x) : 1.0);
  const double scaled = x < 25 ? bessel_k_middle_scaled(order, x) : bessel_k_far_scaled(order, x);
  return is_scaled ? scaled : scaled * std::exp(-x);
}

// modified_bessel_k0: the modified Bessel function of the second kind of order 0.
template <class T>
EAGRE_SCALAR T modified_bessel_k0(T input) {
  return static_cast<T>(bessel_k(0, static_cast<double>(input), false));
}

// modified_bessel_k1: that of order 1.
template <class T>
EAGRE_SCALAR T modified_bessel_k1(T input) {
  return static_cast<T>(bessel_k(1, static_cast<double>(input), false));
}

// scaled_modified_bessel_k0: exp(x) times the first.
template <class T>
EAGRE_SCALAR T scaled_modified_bessel_k0(T input) {
  return static_cast<T>(bessel_k(0, static_cast<double>(input), true));
}

// scaled_modified_bessel_k1: exp(x) times the second.
template <class T>
EAGRE_SCALAR T scaled_modified_bessel_k1(T input) {
  return static_cast<T>(bessel_k(1, static_cast<double>(input), true));
}

}  // namespace eagre::scalar
