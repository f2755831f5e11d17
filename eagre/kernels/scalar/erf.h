// erf: the error function; x times a polynomial up to 1, and 1 - erfc(x) beyond.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/erfc_parts.h>
#include <eagre/kernels/scalar/exp_parts.h>

namespace eagre::scalar {

// The whole multiple of a is added unrounded.
EAGRE_SCALAR float erf_up_to_one(float a) {
  return a + a * polynomial(a * a, 0.128379166F, -0.37612626F, 0.112835854F, -0.0268538147F,
                            0.00518833008F, -0.000801019953F, 7.85384036e-5F);
}
EAGRE_SCALAR double erf_up_to_one(double a) {
  return a + a * polynomial(a * a, 0.1283791670955126, -0.3761263890318355, 0.11283791670945252,
                            -0.026866170643276118, 0.005223977607422808, -0.0008548325989669887,
                            0.00012055295319791518, -1.492474465128789e-05, 1.6447517543222236e-06,
                            -1.6209174966838966e-07, 1.3722972486285585e-08,
                            -7.801182300812677e-10);
}

// erfc from 1 on, good to the last place of 1 - erfc.
EAGRE_SCALAR float erfc_beyond_one(float a) {
  const float clamped = a > 4 ? 4.0F : a;
  const float exponent = polynomial(clamped, 0.000341572129F, 1.12708902F, 0.638145208F,
                                    0.103106432F, -0.0218379032F, 0.00294761639F, -0.000186374717F);
  return lifted_exp(-exponent) * Lift<float>::kDrop;
}
EAGRE_SCALAR double erfc_beyond_one(double a) {
  const double clamped = a > 6 ? 6.0 : a;
  return lifted_exp(-clamped * clamped) * Lift<double>::kDrop * scaled_erfc(clamped);
}

template <class T>
EAGRE_SCALAR T erf(T input) {
  const T size = std::fabs(input);
  return std::copysign(size < 1 ? erf_up_to_one(size) : 1 - erfc_beyond_one(size), input);
}

}  // namespace eagre::scalar
