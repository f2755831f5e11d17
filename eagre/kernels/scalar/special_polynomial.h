// Orthogonal polynomials of a degree that is a number too: its whole part; 0 below 0. In double.
#pragma once

#include <cmath>
#include <limits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// Recurrences end where nothing but NaN or infinity is left, and are not begun for degrees above
// this, for which there is a NaN.
constexpr double kMostOfDegree = 1 << 20;
// From here on, Chebyshev polynomials by their trigonometric forms.
constexpr double kChebyshevTurn = 32;

// The kinds of Chebyshev polynomials.
enum class Chebyshev : unsigned char { kFirst, kSecond, kThird, kFourth };

// cos, or cosh beyond 1, of a multiple of the angle whose one is x; or sin and sinh.
EAGRE_SCALAR double of_angle(double angle, bool is_sine, bool is_beyond) {
  if (is_beyond) return is_sine ? std::sinh(angle) : std::cosh(angle);
  return is_sine ? std::sin(angle) : std::cos(angle);
}

// For large degrees (DLMF 18.5.1 to 18.5.4), and x >= 0: by the symmetry of the polynomials.
EAGRE_SCALAR double chebyshev_far(Chebyshev kind, double x, double n) {
  if (x == 1) {
    if (kind == Chebyshev::kFirst || kind == Chebyshev::kThird) return 1;
    return kind == Chebyshev::kSecond ? n + 1 : 2 * n + 1;
  }
  const bool beyond = x > 1;
  const double angle = beyond ? std::acosh(x) : std::acos(x);
  if (kind == Chebyshev::kFirst) return of_angle(n * angle, false, beyond);
  if (kind == Chebyshev::kSecond) {
    return of_angle((n + 1) * angle, true, beyond) / of_angle(angle, true, beyond);
  }
  const bool is_sine = kind == Chebyshev::kFourth;
  return of_angle((n + 0.5) * angle, is_sine, beyond) / of_angle(angle / 2, is_sine, beyond);
}

EAGRE_SCALAR double chebyshev(Chebyshev kind, double x, double degree) {
  if (x != x || degree != degree) return std::numeric_limits<double>::quiet_NaN();
  const double n = std::trunc(degree);
  if (n < 0) return 0;
  if (n == 0) return 1;
  if (n > kChebyshevTurn) {
    const bool is_odd = std::fmod(n, 2) != 0;
    // The third and the fourth are each other's image.
    Chebyshev mirrored = kind;
    if (x < 0 && kind == Chebyshev::kThird) mirrored = Chebyshev::kFourth;
    if (x < 0 && kind == Chebyshev::kFourth) mirrored = Chebyshev::kThird;
    const double value = chebyshev_far(mirrored, std::fabs(x), n);
    return x < 0 && is_odd ? -value : value;
  }
  // All follow from the two before alike, and differ by the one of degree 1.
  const double more = kind == Chebyshev::kThird ? -1 : kind == Chebyshev::kFourth ? 1 : 0;
  double before = 1, now = kind == Chebyshev::kFirst ? x : 2 * x + more;
  for (double k = 1; k < n; k += 1) {
    const double next = 2 * x * now - before;
    before = now;
    now = next;
  }
  return now;
}

enum class Orthogonal : unsigned char { kHermite, kHermiteOfProbability, kLaguerre, kLegendre };

EAGRE_SCALAR double orthogonal(Orthogonal kind, double x, double degree) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (x != x || degree != degree) return kNan;
  const double n = std::trunc(degree);
  if (n < 0) return 0;
  if (n == 0) return 1;
  if (kind == Orthogonal::kLegendre && std::fabs(x) == 1) {
    return x > 0 || std::fmod(n, 2) == 0 ? 1 : -1;
  }
  if (kind == Orthogonal::kLaguerre && x == 0) return 1;
  if (n > kMostOfDegree) return kNan;
  double before = 1, now = x;
  if (kind == Orthogonal::kHermite) now = 2 * x;
  if (kind == Orthogonal::kLaguerre) now = 1 - x;
  // A sum of NaN and infinity stays one.
  for (double k = 1; k < n && now == now; k += 1) {
    double next = 0;
    if (kind == Orthogonal::kHermite) next = 2 * (x * now - k * before);
    if (kind == Orthogonal::kHermiteOfProbability) next = x * now - k * before;
    if (kind == Orthogonal::kLaguerre) next = ((2 * k + 1 - x) * now - k * before) / (k + 1);
    if (kind == Orthogonal::kLegendre) next = ((2 * k + 1) * x * now - k * before) / (k + 1);
    before = now;
    now = next;
  }
  return now;
}

// chebyshev_polynomial_t: the Chebyshev polynomial of the first kind.
template <class T>
EAGRE_SCALAR T chebyshev_polynomial_t(T x, T n) {
  return static_cast<T>(chebyshev(Chebyshev::kFirst, x, n));
}

// chebyshev_polynomial_u: of the second kind.
template <class T>
EAGRE_SCALAR T chebyshev_polynomial_u(T x, T n) {
  return static_cast<T>(chebyshev(Chebyshev::kSecond, x, n));
}

// chebyshev_polynomial_v: of the third kind.
template <class T>
EAGRE_SCALAR T chebyshev_polynomial_v(T x, T n) {
  return static_cast<T>(chebyshev(Chebyshev::kThird, x, n));
}

// chebyshev_polynomial_w: of the fourth kind.
template <class T>
EAGRE_SCALAR T chebyshev_polynomial_w(T x, T n) {
  return static_cast<T>(chebyshev(Chebyshev::kFourth, x, n));
}

// shifted_chebyshev_polynomial_t: of the first kind, of 2 x - 1.
template <class T>
EAGRE_SCALAR T shifted_chebyshev_polynomial_t(T x, T n) {
  return static_cast<T>(chebyshev(Chebyshev::kFirst, 2.0 * x - 1, n));
}

// shifted_chebyshev_polynomial_u: of the second kind.
template <class T>
EAGRE_SCALAR T shifted_chebyshev_polynomial_u(T x, T n) {
  return static_cast<T>(chebyshev(Chebyshev::kSecond, 2.0 * x - 1, n));
}

// shifted_chebyshev_polynomial_v: of the third kind.
template <class T>
EAGRE_SCALAR T shifted_chebyshev_polynomial_v(T x, T n) {
  return static_cast<T>(chebyshev(Chebyshev::kThird, 2.0 * x - 1, n));
}

// shifted_chebyshev_polynomial_w: of the fourth kind.
template <class T>
EAGRE_SCALAR T shifted_chebyshev_polynomial_w(T x, T n) {
  return static_cast<T>(chebyshev(Chebyshev::kFourth, 2.0 * x - 1, n));
}

// hermite_polynomial_h: the Hermite polynomial of physics, with weight exp(-x^2).
template <class T>
EAGRE_SCALAR T hermite_polynomial_h(T x, T n) {
  return static_cast<T>(orthogonal(Orthogonal::kHermite, x, n));
}

// hermite_polynomial_he: that of probability, with weight exp(-x^2 / 2).
template <class T>
EAGRE_SCALAR T hermite_polynomial_he(T x, T n) {
  return static_cast<T>(orthogonal(Orthogonal::kHermiteOfProbability, x, n));
}

// laguerre_polynomial_l: the Laguerre polynomial.
template <class T>
EAGRE_SCALAR T laguerre_polynomial_l(T x, T n) {
  return static_cast<T>(orthogonal(Orthogonal::kLaguerre, x, n));
}

// legendre_polynomial_p: the Legendre polynomial.
template <class T>
EAGRE_SCALAR T legendre_polynomial_p(T x, T n) {
  return static_cast<T>(orthogonal(Orthogonal::kLegendre, x, n));
}

}  // namespace eagre::scalar
