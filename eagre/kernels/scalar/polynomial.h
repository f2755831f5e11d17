// Polynomials, lowest coefficient first.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// c[First] + c[First + Step] * x + c[First + 2 * Step] * x^2 + …, by recursion: compilers do not
// unroll every loop before they vectorise the one around it.
template <int First, int Step, class T, int Count>
EAGRE_SCALAR T horner(T x, const T (&c)[Count]) {
  if constexpr (First + Step >= Count) {
    return c[First];
  } else {
    return horner<First + Step, Step>(x, c) * x + c[First];
  }
}

// Long ones as two interleaved sums, which halves the chain of operations that wait for each other.
template <class T, class... Coefficients>
EAGRE_SCALAR T polynomial(T x, Coefficients... coefficients) {
  const T c[] = {coefficients...};
  if constexpr (sizeof...(coefficients) < 6) return horner<0, 1>(x, c);
  const T square = x * x;
  return horner<0, 2>(square, c) + x * horner<1, 2>(square, c);
}

}  // namespace eagre::scalar
