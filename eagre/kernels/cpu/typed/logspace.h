// logspace: powers whose exponents are at equal distances.
#pragma once

#include <cmath>

#include <eagre/kernels/cpu/typed/linspace.h>
#include <eagre/kernels/scalar/pow.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void logspace(const TensorView& out, const Scalar& start, const Scalar& end, double base) {
  at_equal_distances<T>(out, start, end, [base](LineNumber<T> exponent) {
    if constexpr (kIsComplex<T>) {
      return scalar::pow(Complex<double>(base), exponent);
    } else {
      return std::pow(base, exponent);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
