// erfinv: the number whose error function is given. In double for all.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// From an estimate that is good to three places (S. Winitzki), by steps of Halley's method, each of
// which triples the places. Beyond 1/2 they are of erfc, so that the distance to 1 is not lost.
template <class T>
EAGRE_SCALAR T erfinv(T input) {
  constexpr double kA = 0.147, kInverseSlope = 0.8862269254527580;  // sqrt(pi) / 2
  constexpr double kTwoOverPiA = 4.330746750799873;
  const double x = std::fabs(static_cast<double>(input));
  if (!(x <= 1)) return std::numeric_limits<T>::quiet_NaN();
  if (x == 1) return std::copysign(std::numeric_limits<T>::infinity(), input);
  const double log = std::log1p(-x * x);
  const double t = kTwoOverPiA + log / 2;
  double y = std::sqrt(std::sqrt(t * t - log / kA) - t);
  for (int i = 0; i < 3; ++i) {
    const double error = x <= 0.5 ? std::erf(y) - x : (1 - x) - std::erfc(y);
    const double step = error * kInverseSlope * std::exp(y * y);
    y -= step / (1 + y * step);
  }
  return std::copysign(static_cast<T>(y), input);
}

}  // namespace eagre::scalar
