// The arc tangent from 0 to 1 is t + atan_tail(t); the parts are added to multiples of pi/2 one by
// one, the larger first, which saves a rounding.
#pragma once

#include <eagre/kernels/scalar/polynomial.h>

namespace eagre::scalar {

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

}  // namespace eagre::scalar
