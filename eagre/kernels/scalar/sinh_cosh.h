// sinh: (e^x - e^-x) / 2, and a polynomial up to 1, where the difference would lose digits.
#pragma once

#include <cmath>

#include <eagre/kernels/scalar/complex_parts.h>
#include <eagre/kernels/scalar/hyperbolic_parts.h>

namespace eagre::scalar {

EAGRE_SCALAR float sinh_up_to_one(float x) {
  const float z = x * x;
  return x + x * z * polynomial(z, 0.166666672F, 0.00833335053F, 0.000198360663F, 2.81744042e-6F);
}
EAGRE_SCALAR double sinh_up_to_one(double x) {
  const double z = x * x;
  return x + x * z *
                 polynomial(z, 0.16666666666666669, 0.008333333333333139, 0.000198412698414375,
                            2.7557319155385393e-06, 2.505212339217242e-08, 1.6057240747330333e-10,
                            7.759302263178717e-13);
}

template <class T>
EAGRE_SCALAR T sinh(T input) {
  const T size = std::fabs(input);
  const T half = half_exp(size);
  return std::copysign(size < 1 ? sinh_up_to_one(size) : half - T(0.25) / half, input);
}

template <class T>
EAGRE_SCALAR Complex<T> sinh(Complex<T> input) {
  return narrow<T>(__builtin_csinh(widen(input)));
}

}  // namespace eagre::scalar
