// lerp: from input to end by the share weight.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// From the nearer end, so that both ends are met exactly.
template <class T>
EAGRE_SCALAR T lerp(T input, T end, T weight) {
  const T way = end - input;
  return weight < T(0.5) && weight > T(-0.5) ? input + weight * way : end - way * (1 - weight);
}

template <class T>
EAGRE_SCALAR Complex<T> lerp(Complex<T> input, Complex<T> end, Complex<T> weight) {
  const Complex<T> way = end - input;
  const bool near = weight.real * weight.real + weight.imag * weight.imag < T(0.25);
  return near ? input + weight * way : end - way * (Complex<T>(1) - weight);
}

}  // namespace eagre::scalar
