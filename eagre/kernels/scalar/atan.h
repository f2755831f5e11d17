// atan and atan2: the angle whose tangent is given, and the angle of a point.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/pi.h>
#include <eagre/kernels/scalar/polynomial.h>

namespace eagre::scalar {

// The arc tangent from 0 to 1 is t + atan_tail(t); the parts are added to multiples of pi/2 one by
// one, the larger first, which saves a rounding.

EAGRE_SCALAR float atan_tail(float t) {
  const float z = t * t;
  return t * z *
         horner(z, -0.333333015F, 0.199986383F, -0.142652452F, 0.109575741F, -0.0841945633F,
                0.0582345426F, -0.0314557217F, 0.0110644614F, -0.00182721927F);
}
EAGRE_SCALAR double atan_tail(double t) {
  const double z = t * t;
  return t * z *
         horner(z, -0.33333333333333093, 0.1999999999995545, -0.14285714282802947,
                0.1111111101366825, -0.09090907119518148, 0.07692281189454286, -0.066664150174402,
                0.05880592665402119, -0.05253806025474625, 0.047232949153940676,
                -0.042217217742588756, 0.03669360477616478, -0.029985687697716513,
                0.022085288764202453, -0.01399511363349727, 0.0072634471019197315,
                -0.0029193885162743937, 0.0008435014174704496, -0.00015480078905873526,
                1.3489663774952577e-05);
}

// atan: the angle whose tangent is given.
template <class T>
EAGRE_SCALAR T atan(T input) {
  using Half = HalfPi<T>;
  const T size = std::fabs(input);
  const bool steep = size > 1;
  const T t = (steep ? T(1) : size) / (steep ? size : T(1));
  const T tail = atan_tail(t);
  return std::copysign(steep ? (Half::kHigh - t) - (tail - Half::kLow) : t + tail, input);
}

template <class T>
EAGRE_SCALAR Complex<T> atan(Complex<T> input) {
  return narrow<T>(wide_atan(widen(input)));
}

// atan2: the angle of the point (other, input), from -pi to pi.
template <class T>
EAGRE_SCALAR T atan2(T input, T other) {
  const T y = std::fabs(input), x = std::fabs(other);
  const bool steep = y > x, left = std::signbit(other);
  const T smaller = steep ? x : y, larger = steep ? y : x;
  // Neither 0/0 nor inf/inf has an angle of its own: they are 0 and pi/4.
  const T equal = larger == 0 ? T(0) : T(1);
  const T t = smaller == larger ? equal : smaller / larger;

  const T away = steep != left ? -t : t, tail = steep != left ? -atan_tail(t) : atan_tail(t);
  const T high = steep ? HalfPi<T>::kHigh : (left ? Pi<T>::kHigh : T(0));
  const T low = steep ? HalfPi<T>::kLow : (left ? Pi<T>::kLow : T(0));
  return std::copysign((high + away) + (tail + low), input);
}

}  // namespace eagre::scalar
