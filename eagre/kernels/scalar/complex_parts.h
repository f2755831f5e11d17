// Complex functions: those of the C library, which know every combination of infinite parts. In
// double also for floats, so that these are exact to the last place.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

__extension__ using WideComplex = __complex__ double;

template <class T>
EAGRE_SCALAR WideComplex widen(Complex<T> z) {
  WideComplex wide;
  __real__ wide = static_cast<double>(z.real);
  __imag__ wide = static_cast<double>(z.imag);
  return wide;
}

template <class T>
EAGRE_SCALAR Complex<T> narrow(WideComplex z) {
  return {static_cast<T>(__real__ z), static_cast<T>(__imag__ z)};
}

}  // namespace eagre::scalar
