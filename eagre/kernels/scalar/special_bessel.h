// The Bessel functions of both kinds of orders 0 and 1, and the spherical one of order 0. In
// double.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// J0, J1, Y0 and Y1 of one number.
struct BesselValues {
  double j0, j1, y0, y1;
};

constexpr double kEuler = 0.57721566490153286;
constexpr double kTwoOverPi = 0.63661977236758134;
// Up to here the power series loses nothing, and from there on the asymptotic series is exact.
constexpr double kBesselNearEnd = 2, kBesselFarStart = 25;

// Power series (DLMF 10.2.2 and 10.8.1, 10.8.2). For 0 < x < kBesselNearEnd.
EAGRE_SCALAR BesselValues bessel_near(double x) {
  const double step = -x * x / 4, log = std::log(x / 2);
  double term0 = 1, term1 = x / 2, harmonic = 0;
  BesselValues sums = {1, term1, 0, term1 * (1 - 2 * kEuler)};
  for (int k = 1; k < 20; ++k) {
    term0 *= step / (static_cast<double>(k) * k);
    term1 *= step / (static_cast<double>(k) * (k + 1));
    harmonic += 1.0 / k;
    sums.j0 += term0;
    sums.j1 += term1;
    sums.y0 -= harmonic * term0;
    sums.y1 += (2 * harmonic + 1.0 / (k + 1) - 2 * kEuler) * term1;
  }
  const double y0 = kTwoOverPi * ((log + kEuler) * sums.j0 + sums.y0);
  const double y1 = kTwoOverPi * (log * sums.j1 - 1 / x - sums.y1 / 2);
  return {sums.j0, sums.j1, y0, y1};
}

// From far down the recurrence of J, which then is right but for a factor (J. C. P. Miller); Y are
// sums over J (A&S 9.1.88).
EAGRE_SCALAR BesselValues bessel_middle(double x) {
  const int half = static_cast<int>(x / 2) + 18;
  double after = 0, now = 1e-250, sum = 0, y0 = 0, y1 = 0;
  // `now` is J of order 2 k, up to the factor.
  for (int k = half; k > 0; --k) {
    const double sign = k % 2 == 0 ? 1 : -1, order = 2.0 * k;
    sum += now;
    y0 += sign * now / k;
    // `after` is that of order 2 k + 1.
    y1 += sign * (order + 1) / (static_cast<double>(k) * (k + 1)) * after;
    const double below = 2 * order / x * now - after;
    after = below;
    now = 2 * (order - 1) / x * below - now;
  }
  const double factor = 1 / (now + 2 * sum), j0 = now * factor, j1 = after * factor;
  const double log = std::log(x / 2) + kEuler;
  return {j0, j1, kTwoOverPi * (log * j0 - 2 * y0 * factor),
          kTwoOverPi * ((log - 1) * j1 - j0 / x - y1 * factor)};
}

// Hankel's asymptotic series (DLMF 10.17.3), for one order: the parts beside cosine and sine.
EAGRE_SCALAR void bessel_far_parts(int order, double x, double* even, double* odd) {
  double term = 1;
  *even = 1;
  *odd = 0;
  for (int k = 1; k < 40 && std::fabs(term) > 1e-17; ++k) {
    const double width = 2 * k - 1;
    term *= (4.0 * order * order - width * width) / (8.0 * k * x);
    double* const sum = k % 2 == 0 ? even : odd;
    *sum += k / 2 % 2 == 0 ? term : -term;
  }
}

EAGRE_SCALAR BesselValues bessel_far(double x) {
  double even0 = 0, odd0 = 0, even1 = 0, odd1 = 0;
  bessel_far_parts(0, x, &even0, &odd0);
  bessel_far_parts(1, x, &even1, &odd1);
  // Cosine and sine of x - pi / 4 are (c + s) and (s - c), over the root of 2.
  const double c = std::cos(x), s = std::sin(x), size = 1 / std::sqrt(3.141592653589793 * x);
  const double sum = c + s, difference = s - c;
  return {size * (even0 * sum - odd0 * difference), size * (even1 * difference + odd1 * sum),
          size * (even0 * difference + odd0 * sum), size * (odd1 * difference - even1 * sum)};
}

// For x > 0.
EAGRE_SCALAR BesselValues bessel_values(double x) {
  if (x < kBesselNearEnd) return bessel_near(x);
  return x < kBesselFarStart ? bessel_middle(x) : bessel_far(x);
}

// bessel_j0: the Bessel function of the first kind of order 0. At infinity, 0.
template <class T>
EAGRE_SCALAR T bessel_j0(T input) {
  const double x = std::fabs(static_cast<double>(input));
  if (x != x) return input;
  if (x == 0) return T(1);
  if (x == std::numeric_limits<double>::infinity()) return T(0);
  return static_cast<T>(bessel_values(x).j0);
}

// bessel_j1: that of order 1.
template <class T>
EAGRE_SCALAR T bessel_j1(T input) {
  const double x = std::fabs(static_cast<double>(input));
  if (x != x || x == 0) return input;
  if (x == std::numeric_limits<double>::infinity()) return T(0);
  const double value = bessel_values(x).j1;
  return static_cast<T>(input < 0 ? -value : value);
}

// bessel_y0: the Bessel function of the second kind of order 0, which numbers below 0 have none of.
template <class T>
EAGRE_SCALAR T bessel_y0(T input) {
  const auto x = static_cast<double>(input);
  if (x == 0) return -std::numeric_limits<T>::infinity();
  if (!(x > 0)) return std::numeric_limits<T>::quiet_NaN();
  if (x == std::numeric_limits<double>::infinity()) return T(0);
  return static_cast<T>(bessel_values(x).y0);
}

// bessel_y1: that of order 1.
template <class T>
EAGRE_SCALAR T bessel_y1(T input) {
  const auto x = static_cast<double>(input);
  if (x == 0) return -std::numeric_limits<T>::infinity();
  if (!(x > 0)) return std::numeric_limits<T>::quiet_NaN();
  if (x == std::numeric_limits<double>::infinity()) return T(0);
  return static_cast<T>(bessel_values(x).y1);
}

// spherical_bessel_j0: sin(x) / x.
template <class T>
EAGRE_SCALAR T spherical_bessel_j0(T input) {
  const auto x = static_cast<double>(input);
  if (x == 0) return T(1);
  if (std::fabs(x) == std::numeric_limits<double>::infinity()) return T(0);
  return static_cast<T>(std::sin(x) / x);
}

}  // namespace eagre::scalar
