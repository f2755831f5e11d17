// Functions around the normal distribution, entropy, and Bessel functions without their growth. In
// double for all.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/erfc_parts.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// entr: -x log(x).
template <class T>
EAGRE_SCALAR T entr(T input) {
  if (input != input) return input;
  if (input > 0) return -input * std::log(input);
  return input == 0 ? T(0) : -std::numeric_limits<T>::infinity();
}

// For x >= 0; beyond what the polynomial is for, the first terms of the asymptotic series.
EAGRE_SCALAR double erfcx_of_positive(double x) {
  if (x < 25) return scaled_erfc(x);
  const double z = 1 / (2 * x * x);
  return 0.5641895835477563 / x * (1 - z * (1 - 3 * z * (1 - 5 * z)));
}

EAGRE_SCALAR double erfcx_in_double(double x) {
  if (x >= 0) return erfcx_of_positive(x);
  return x < -27 ? std::numeric_limits<double>::infinity()
                 : 2 * std::exp(x * x) - erfcx_of_positive(-x);
}

// erfcx: exp(x * x) erfc(x).
template <class T>
EAGRE_SCALAR T erfcx(T input) {
  const auto x = static_cast<double>(input);
  if (x != x) return input;
  return static_cast<T>(erfcx_in_double(x));
}

// ndtr: the normal distribution function.
template <class T>
EAGRE_SCALAR T ndtr(T input) {
  return static_cast<T>(0.5 * std::erfc(static_cast<double>(input) * -0.7071067811865476));
}

EAGRE_SCALAR double log_ndtr_in_double(double x) {
  const double scaled = x * 0.7071067811865476;
  if (x < -1) return std::log(erfcx_in_double(-scaled) / 2) - scaled * scaled;
  return std::log1p(-std::erfc(scaled) / 2);
}

// log_ndtr: its logarithm.
template <class T>
EAGRE_SCALAR T log_ndtr(T input) {
  const auto x = static_cast<double>(input);
  if (x == -std::numeric_limits<double>::infinity()) return input;
  return static_cast<T>(log_ndtr_in_double(x));
}

// For 0 < p <= 1/2: a first guess (Abramowitz and Stegun 26.2.23), then Newton's steps on the
// logarithm, which is nearly a parabola.
EAGRE_SCALAR double ndtri_of_lower(double p) {
  const double wanted = std::log(p), t = std::sqrt(-2 * wanted);
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  for (int step = 0; step < 5; ++step) {
    const double slope = 0.7978845608028654 / erfcx_in_double(x * -0.7071067811865476);
    x -= (log_ndtr_in_double(x) - wanted) / slope;
  }
  return x;
}

// ndtri: its inverse.
template <class T>
EAGRE_SCALAR T ndtri(T input) {
  const auto p = static_cast<double>(input);
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<T>::quiet_NaN();
  if (p == 0) return -std::numeric_limits<T>::infinity();
  if (p == 1) return std::numeric_limits<T>::infinity();
  if (p == 0.5) return T(0);
  return static_cast<T>(p < 0.5 ? ndtri_of_lower(p) : -ndtri_of_lower(1 - p));
}

}  // namespace eagre::scalar
