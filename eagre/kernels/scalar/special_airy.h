// The Airy function Ai. In double.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// Its power series (DLMF 9.4.1). For -7 < x < 1.
EAGRE_SCALAR double airy_ai_near(double x) {
  // Ai(0) and -Ai'(0).
  constexpr double kValue = 0.35502805388781724, kSlope = 0.25881940379280680;
  const double cube = x * x * x;
  double f = 1, g = x, even = f, odd = g;
  for (int k = 1; k < 60; ++k) {
    const double n = 3 * k;
    f *= cube / ((n - 1) * n);
    g *= cube / (n * (n + 1));
    even += f;
    odd += g;
  }
  return kValue * even - kSlope * odd;
}

// exp(-z) / pi times the integral of exp(-sqrt(x) t^2) cos(t^3 / 3) over t > 0, with z = 2/3 x^1.5:
// along the path of steepest descent, by trapezoids. For x >= 1.
EAGRE_SCALAR double airy_ai_above(double x) {
  constexpr double kStep = 0.2;
  const double root = std::sqrt(x), scale = 1 / std::sqrt(root);
  double sum = 0.5;
  for (int i = 1; i < 33; ++i) {
    const double s = kStep * i, t = s * scale;
    sum += std::exp(-s * s) * std::cos(t * t * t / 3);
  }
  return std::exp(-2.0 / 3 * x * root) * kStep * scale * sum / 3.141592653589793;
}

// The asymptotic series of Ai(-x) (DLMF 9.7.9). For x >= 7.
EAGRE_SCALAR double airy_ai_below(double x) {
  const double root = std::sqrt(x), z = 2.0 / 3 * x * root;
  double term = 1, even = 1, odd = 0;
  for (int k = 1; k < 30; ++k) {
    const double last = term;
    term *= (6.0 * k - 5) * (6.0 * k - 3) * (6.0 * k - 1) / (216.0 * k * (2.0 * k - 1) * z);
    if (term > last || term < 1e-17) break;
    double* const sum = k % 2 == 0 ? &even : &odd;
    *sum += k / 2 % 2 == 0 ? term : -term;
  }
  const double c = std::cos(z), s = std::sin(z);
  const double part = even * (c + s) + odd * (s - c);
  return part / std::sqrt(6.283185307179586 * root);
}

// airy_ai: the solution of y'' = x y that falls to 0.
template <class T>
EAGRE_SCALAR T airy_ai(T input) {
  const auto x = static_cast<double>(input);
  if (x != x) return input;
  if (std::fabs(x) == std::numeric_limits<double>::infinity()) return T(0);
  if (x >= 1) return static_cast<T>(airy_ai_above(x));
  return static_cast<T>(x > -7 ? airy_ai_near(x) : airy_ai_below(-x));
}

}  // namespace eagre::scalar
