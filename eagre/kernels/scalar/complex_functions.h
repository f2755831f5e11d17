// Complex functions in double, also for floats, so that these are exact to the last place. They are
// those of the C library, and of libcu++ on GPUs: both know every combination of infinite parts.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/kernels/scalar/host_device.h>

#ifdef __CUDACC__
#include <cuda/std/complex>
#endif

namespace eagre::scalar {

#ifdef __CUDACC__
using WideComplex = cuda::std::complex<double>;

EAGRE_SCALAR WideComplex wide_complex(double real, double imag) { return {real, imag}; }
EAGRE_SCALAR double real_part(WideComplex z) { return z.real(); }
EAGRE_SCALAR double imaginary_part(WideComplex z) { return z.imag(); }
#define EAGRE_COMPLEX_FUNCTION(name) cuda::std::name
#else
__extension__ using WideComplex = __complex__ double;

EAGRE_SCALAR WideComplex wide_complex(double real, double imag) {
  WideComplex z;
  __real__ z = real;
  __imag__ z = imag;
  return z;
}
EAGRE_SCALAR double real_part(WideComplex z) { return __real__ z; }
EAGRE_SCALAR double imaginary_part(WideComplex z) { return __imag__ z; }
#define EAGRE_COMPLEX_FUNCTION(name) __builtin_c##name
#endif

EAGRE_SCALAR double wide_abs(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(abs)(z); }
EAGRE_SCALAR WideComplex wide_sqrt(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(sqrt)(z); }
EAGRE_SCALAR WideComplex wide_exp(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(exp)(z); }
EAGRE_SCALAR WideComplex wide_log(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(log)(z); }
EAGRE_SCALAR WideComplex wide_sin(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(sin)(z); }
EAGRE_SCALAR WideComplex wide_cos(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(cos)(z); }
EAGRE_SCALAR WideComplex wide_tan(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(tan)(z); }
EAGRE_SCALAR WideComplex wide_asin(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(asin)(z); }
EAGRE_SCALAR WideComplex wide_acos(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(acos)(z); }
EAGRE_SCALAR WideComplex wide_atan(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(atan)(z); }
EAGRE_SCALAR WideComplex wide_sinh(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(sinh)(z); }
EAGRE_SCALAR WideComplex wide_cosh(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(cosh)(z); }
EAGRE_SCALAR WideComplex wide_tanh(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(tanh)(z); }
EAGRE_SCALAR WideComplex wide_asinh(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(asinh)(z); }
EAGRE_SCALAR WideComplex wide_acosh(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(acosh)(z); }
EAGRE_SCALAR WideComplex wide_atanh(WideComplex z) { return EAGRE_COMPLEX_FUNCTION(atanh)(z); }
EAGRE_SCALAR WideComplex wide_pow(WideComplex z, WideComplex power) {
  return EAGRE_COMPLEX_FUNCTION(pow)(z, power);
}

#undef EAGRE_COMPLEX_FUNCTION

template <class T>
EAGRE_SCALAR WideComplex widen(Complex<T> z) {
  return wide_complex(static_cast<double>(z.real), static_cast<double>(z.imag));
}

template <class T>
EAGRE_SCALAR Complex<T> narrow(WideComplex z) {
  return {static_cast<T>(real_part(z)), static_cast<T>(imaginary_part(z))};
}

}  // namespace eagre::scalar
