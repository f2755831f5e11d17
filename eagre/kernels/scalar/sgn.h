// sgn: the sign; of a complex number the one of size 1 in its direction, and 0 of 0.
#pragma once

#include <eagre/kernels/scalar/abs.h>
#include <eagre/kernels/scalar/sign.h>

namespace eagre::scalar {

template <class T>
EAGRE_SCALAR T sgn(T input) {
  return sign(input);
}

template <class T>
EAGRE_SCALAR Complex<T> sgn(Complex<T> input) {
  const T size = abs(input);
  return size == 0 ? Complex<T>(0) : Complex<T>(input.real / size, input.imag / size);
}

}  // namespace eagre::scalar
