// atan2: the angle of the point (other, input), from -pi to pi.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/atan_parts.h>
#include <eagre/kernels/scalar/pi.h>

namespace eagre::scalar {

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
