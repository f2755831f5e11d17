// pi and pi/2 in two parts each: the nearest number and what it lacks.
#pragma once

namespace eagre::scalar {

template <class T>
struct Pi;
template <>
struct Pi<float> {
  static constexpr float kHigh = 3.14159274F, kLow = -8.742278e-08F;
};
template <>
struct Pi<double> {
  static constexpr double kHigh = 3.141592653589793, kLow = 1.2246467991473532e-16;
};

template <class T>
struct HalfPi {
  static constexpr T kHigh = Pi<T>::kHigh / 2, kLow = Pi<T>::kLow / 2;
};

}  // namespace eagre::scalar
