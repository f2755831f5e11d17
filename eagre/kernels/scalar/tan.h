// tan: sine by cosine of the remainder, or the negative inverse in odd quadrants.
#pragma once

#include <eagre/kernels/scalar/complex_functions.h>
#include <eagre/kernels/scalar/trig_parts.h>

namespace eagre::scalar {

EAGRE_SCALAR float tan_large(float angle) { return static_cast<float>(std::tan(double{angle})); }
EAGRE_SCALAR double tan_large(double angle) { return std::tan(angle); }

EAGRE_SCALAR double tan_by_parts(double sine, double cosine, int32_t quadrant) {
  const bool odd = (quadrant & 1) != 0;
  return (odd ? -cosine : sine) / (odd ? sine : cosine);
}

// In double, with polynomials that are as good as a float needs: a quotient of floats would gather
// more than 2 units of error.
EAGRE_SCALAR auto tan(float input) {
  const float size = std::fabs(input);
  const TrigParts<double> parts = trig_parts_of_float(size);
  const double r = parts.remainder, z = r * r;
  const double sine = r + r * z *
                              polynomial(z, -0.1666666664162586, 0.008333329385148422,
                                         -0.00019839334482943865, 2.7183075198170613e-06);
  const double cosine =
      1 - z * (0.5 - z * polynomial(z, 0.04166666662281085, -0.0013888883751887909,
                                    2.4799519599598066e-05, -2.7210203461846934e-07));
  const auto result =
      std::copysign(1.0F, input) * static_cast<float>(tan_by_parts(sine, cosine, parts.quadrant));
  return EAGRE_GUARDED(float, (static_cast<float (*)(float)>(tan_large)), result,
                       size > TrigRange<float>::kMax, input);
}
EAGRE_SCALAR auto tan(double input) {
  const double size = std::fabs(input);
  const TrigParts<double> parts = trig_parts(size);
  const double result =
      std::copysign(1.0, input) *
      tan_by_parts(sin_remainder(parts.remainder), cos_remainder(parts.remainder), parts.quadrant);
  return EAGRE_GUARDED(double, (static_cast<double (*)(double)>(tan_large)), result,
                       size > TrigRange<double>::kMax, input);
}

template <class T>
EAGRE_SCALAR Complex<T> tan(Complex<T> input) {
  return narrow<T>(wide_tan(widen(input)));
}

}  // namespace eagre::scalar
