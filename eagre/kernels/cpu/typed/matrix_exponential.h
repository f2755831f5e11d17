// matrix_exponential: Padé approximations of a matrix that is scaled until its norm is small, and
// squared as often (N. Higham, "The Scaling and Squaring Method for the Matrix Exponential
// Revisited", 2005; the bounds are those of its table 2.3).
#pragma once

#include <cmath>
#include <limits>

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/isa/factor_lu.h>
#include <eagre/kernels/cpu/typed/factored_batch.h>

namespace eagre::kernels::cpu::typed {

// The coefficients of the approximation of degree m, from the constant on, and the norm up to which
// it is exact.
struct Approximation {
  int degree;
  double bound;
  double terms[14];
};
template <class T>
static inline Approximation approximation_for(double norm) {
  constexpr Approximation kFloats[] = {
      {3, 4.258730016922831e-1, {120, 60, 12, 1}},
      {5, 1.880152677804762, {30240, 15120, 3360, 420, 30, 1}},
      {7, 3.925724783138660, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}}};
  constexpr Approximation kDoubles[] = {
      {3, 1.495585217958292e-2, {120, 60, 12, 1}},
      {5, 2.539398330063230e-1, {30240, 15120, 3360, 420, 30, 1}},
      {7, 9.504178996162932e-1, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
      {9,
       2.097847961257068,
       {17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1}},
      {13,
       5.371920351148152,
       {64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000,
        10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}}};
  if constexpr (sizeof(Real<T>) == 4) {
    return norm <= kFloats[0].bound   ? kFloats[0]
           : norm <= kFloats[1].bound ? kFloats[1]
                                      : kFloats[2];
  } else {
    int i = 0;
    while (i < 4 && norm > kDoubles[i].bound) ++i;
    return kDoubles[i];
  }
}

// The largest sum of the sizes of a column.
template <class T>
static double norm_of_columns(const Grid<T>& a) {
  double most = 0;
  for (int64_t j = 0; j < a.columns; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < a.rows; ++i) {
      const T x = a.at(i, j);
      if constexpr (kIsComplex<T>) {
        sum += std::hypot(static_cast<double>(x.real), static_cast<double>(x.imag));
      } else {
        sum += std::abs(static_cast<double>(x));  // its square may be infinite
      }
    }
    if (!(sum <= most)) most = sum;  // also NaN
  }
  return most;
}

// a becomes its exponential. `room`: for five times as many elements and a row.
template <class T>
static void exponentiate(const Grid<T>& a, T* room) {
  using R = Real<T>;
  const int64_t n = a.rows, numel = n * n;
  const double norm = norm_of_columns(a);
  if (!std::isfinite(norm)) {
    std::fill_n(a.data, numel, static_cast<T>(std::numeric_limits<R>::quiet_NaN()));
    return;
  }
  const Approximation pade = approximation_for<T>(norm);
  int squarings = 0;
  for (double left = norm; left > pade.bound; left /= 2) ++squarings;
  for (int64_t i = 0; i < numel; ++i) {
    a.data[i] = a.data[i] * static_cast<T>(static_cast<R>(std::ldexp(1.0, -squarings)));
  }
  const auto matrix = [&](int which) { return Grid<T>{room + which * numel, n, n, n, 1}; };
  const Grid<T> square = matrix(0), odd = matrix(3), even = matrix(4);
  Grid<T> power = matrix(1), next = matrix(2);
  // Coefficients that are divided by the first, so that they and their products are no large
  // numbers.
  const auto term = [&](int k) {
    return static_cast<T>(static_cast<R>(pade.terms[k] / pade.terms[0]));
  };
  EAGRE_ISA::add_product(square, a, a, 1, false);
  std::copy_n(square.data, numel, power.data);
  for (int64_t i = 0; i < numel; ++i) {
    odd.data[i] = term(3) * square.data[i];
    even.data[i] = term(2) * square.data[i];
  }
  for (int64_t i = 0; i < n; ++i) {
    odd.at(i, i) += term(1);
    even.at(i, i) += term(0);
  }
  for (int k = 4; k < pade.degree; k += 2) {
    EAGRE_ISA::add_product(next, power, square, 1, false);
    std::swap(power, next);
    for (int64_t i = 0; i < numel; ++i) {
      odd.data[i] += term(k + 1) * power.data[i];
      even.data[i] += term(k) * power.data[i];
    }
  }
  EAGRE_ISA::add_product(power, a, odd, 1, false);
  // (even - a odd) @ result = even + a odd
  for (int64_t i = 0; i < numel; ++i) {
    odd.data[i] = even.data[i] - power.data[i];
    a.data[i] = even.data[i] + power.data[i];
  }
  auto* const pivots = reinterpret_cast<int32_t*>(room + 5 * numel);
  EAGRE_ISA::factor_lu(odd, pivots, true);
  EAGRE_ISA::swap_as(pivots, n, a);
  EAGRE_ISA::solve_triangle(odd, true, true, a);
  EAGRE_ISA::solve_triangle(odd, false, false, a);
  for (; squarings > 0; --squarings) {
    EAGRE_ISA::add_product(square, a, a, 1, false);
    std::copy_n(square.data, numel, a.data);
  }
}

template <class T>
static void matrix_exponential(const TensorView& result, const TensorView& input) {
  const Matrices<T> to(result), from(input);
  const int64_t n = to.rows;
  each_matrix(to.count, 10 * n * n * n, [&](int64_t i) {
    T* const room = EAGRE_ISA::factor_room<T>(5 * n * n + n);
    to.copy(i, from);
    if (n > 0) exponentiate(to[i], room);
  });
}

}  // namespace eagre::kernels::cpu::typed
