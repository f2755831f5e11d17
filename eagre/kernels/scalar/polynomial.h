// Polynomials, lowest coefficient first.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// c[kFirst] + c[kFirst + kStep] * x + c[kFirst + 2 * kStep] * x^2 + …. Sums of at least kSplit
// terms are those of even and of odd powers, again and again. By recursion, since compilers do not
// unroll every loop before they vectorise the one around it.
template <int kSplit, int kFirst, int kStep, class T, int kCount>
EAGRE_SCALAR T polynomial_part(T x, const T (&c)[kCount]) {
  constexpr int kLength = (kCount - kFirst + kStep - 1) / kStep;
  if constexpr (kLength == 1) {
    return c[kFirst];
  } else if constexpr (kLength < kSplit) {
    return polynomial_part<kSplit, kFirst + kStep, kStep>(x, c) * x + c[kFirst];
  } else {
    const T square = x * x;
    return polynomial_part<kSplit, kFirst, 2 * kStep>(square, c) +
           x * polynomial_part<kSplit, kFirst + kStep, 2 * kStep>(square, c);
  }
}

// Split, since vector units wait for each other's results otherwise.
template <class T, class... Coefficients>
EAGRE_SCALAR T polynomial(T x, Coefficients... coefficients) {
  const T c[] = {coefficients...};
  return polynomial_part<5, 0, 1>(x, c);
}

// Term by term: slower, but more exact where the terms are large and their signs alternate.
template <class T, class... Coefficients>
EAGRE_SCALAR T horner(T x, Coefficients... coefficients) {
  const T c[] = {coefficients...};
  return polynomial_part<sizeof...(coefficients) + 1, 0, 1>(x, c);
}

}  // namespace eagre::scalar
