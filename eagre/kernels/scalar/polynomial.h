// Polynomials, lowest coefficient first.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// c[First] + c[First + Step] * x + c[First + 2 * Step] * x^2 + …. Sums of at least Split terms are
// those of even and of odd powers, again and again. By recursion, since compilers do not unroll
// every loop before they vectorise the one around it.
template <int Split, int First, int Step, class T, int Count>
EAGRE_SCALAR T polynomial_part(T x, const T (&c)[Count]) {
  constexpr int kLength = (Count - First + Step - 1) / Step;
  if constexpr (kLength == 1) {
    return c[First];
  } else if constexpr (kLength < Split) {
    return polynomial_part<Split, First + Step, Step>(x, c) * x + c[First];
  } else {
    const T square = x * x;
    return polynomial_part<Split, First, 2 * Step>(square, c) +
           x * polynomial_part<Split, First + Step, 2 * Step>(square, c);
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
