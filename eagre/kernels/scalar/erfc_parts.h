// e^(a*a) * erfc(a) for a >= 0: what is left of erfc when its steep part is taken out.
#pragma once

#include <eagre/kernels/scalar/float_bits.h>
#include <eagre/kernels/scalar/polynomial.h>

namespace eagre::scalar {

// A polynomial in (a - 4) / (a + 4), up to a = 27.5, after division by 1 + 2a.
EAGRE_SCALAR double scaled_erfc(double a) {
  const double t = (a - 4) / (a + 4);
  const double p = polynomial(
      t, 1.2329951186255526, -0.13962111684056253, 0.01537965210261965, 0.06809705425469541,
      -0.10103906603629932, 0.09373283499825207, -0.06633036581232447, 0.03716751553906608,
      -0.01619773405659815, 0.00503196996387844, -0.0007577732969268406, -0.000199256618811662,
      0.0001506217160847158, -2.4399469656093423e-05, -1.122217325237669e-05, 5.710265538772302e-06,
      2.9417181438175575e-07, -8.260678485449869e-07, 7.405188128614583e-08, 1.1040888332359045e-07,
      -1.739985379161563e-08, -1.4084509018714075e-08, 1.6451318662595608e-09,
      1.1889032123845693e-09);
  return p / (1 + 2 * a);
}

// The square in two parts: its rounding error would be multiplied by the square itself in e^(x*x).
template <class T>
struct Square {
  T high, low;
};
template <class T>
EAGRE_SCALAR Square<T> exact_square(T x) {
  using Unsigned = typename FloatBits<T>::Unsigned;
  constexpr Unsigned kUpper = ~((Unsigned{1} << ((FloatBits<T>::kMantissa + 2) / 2)) - 1);
  const T head = std::bit_cast<T>(std::bit_cast<Unsigned>(x) & kUpper);
  return {head * head, (x - head) * (x + head)};
}

}  // namespace eagre::scalar
