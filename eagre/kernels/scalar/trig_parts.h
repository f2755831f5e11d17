// An angle as a multiple of pi/2 and a remainder of at most pi/4, and sine and cosine of that.
#pragma once

#include <cmath>
#include <cstdint>

#include <eagre/kernels/scalar/guarded.h>
#include <eagre/kernels/scalar/polynomial.h>

namespace eagre::scalar {

// pi/2 in parts whose multiples are exact up to this size; larger angles are left to libm.
template <class T>
struct TrigRange {
  static constexpr T kMax = T(1e6);
};

template <class T>
struct TrigParts {
  T remainder;
  int32_t quadrant;
};

// Of a float in double: near multiples of pi/2 the remainder has far fewer leading bits than the
// angle, and this keeps them all.
EAGRE_SCALAR TrigParts<double> trig_parts_of_float(float angle) {
  constexpr double kRound = 6755399441055744.0;
  const double x = angle;
  const double n = (x * 0.6366197723675814 + kRound) - kRound;
  const double r = (x - n * 1.5707963267341256) - n * 6.077100506506192e-11;
  return {r, static_cast<int32_t>(n)};
}
EAGRE_SCALAR TrigParts<float> trig_parts(float angle) {
  const TrigParts<double> wide = trig_parts_of_float(angle);
  return {static_cast<float>(wide.remainder), wide.quadrant};
}
EAGRE_SCALAR TrigParts<double> trig_parts(double x) {
  constexpr double kRound = 6755399441055744.0;
  const double n = (x * 0.6366197723675814 + kRound) - kRound;
  const double first = (x - n * 1.5707963267341256) - n * 6.077100506303966e-11;
  return {first - n * 2.0222662487959506e-21, static_cast<int32_t>(n)};
}

EAGRE_SCALAR float sin_remainder(float r) {
  const float z = r * r;
  return r + r * z * polynomial(z, -0.166666552F, 0.008332178F, -0.000195172586F);
}
EAGRE_SCALAR double sin_remainder(double r) {
  const double z = r * r;
  return r + r * z *
                 polynomial(z, -0.16666666666666632, 0.00833333333332243, -0.00019841269829820203,
                            2.7557313695742463e-06, -2.5050758649975367e-08,
                            1.5896823570001637e-10);
}
EAGRE_SCALAR float cos_remainder(float r) {
  const float z = r * r;
  return 1 - (0.5F * z - z * z * polynomial(z, 0.0416666456F, -0.00138873677F, 2.443843e-5F));
}
EAGRE_SCALAR double cos_remainder(double r) {
  const double z = r * r;
  return 1 - (0.5 * z - z * z *
                            polynomial(z, 0.0416666666666666, -0.0013888888888874133,
                                       2.480158728948755e-05, -2.7557314353780826e-07,
                                       2.087572346135182e-09, -1.1359657293475756e-11));
}

}  // namespace eagre::scalar
