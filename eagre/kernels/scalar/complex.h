// The function of conj.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// conj_physical: the imaginary part with the other sign.
template <class T>
EAGRE_SCALAR Complex<T> conj_physical(Complex<T> input) {
  return {input.real, -input.imag};
}

}  // namespace eagre::scalar
