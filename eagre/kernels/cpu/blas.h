// Products of matrices by a BLAS that the user names, loaded at the first one that is large enough.
#pragma once

#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/core/complex.h>

namespace eagre::kernels::cpu {

enum class BlasElement : unsigned char { kFloat, kDouble, kComplexFloat, kComplexDouble };
constexpr int kBlasElementCount = 4;

template <class T>
inline constexpr bool kHasBlas = false;
template <class T>
inline constexpr auto kBlasElement = BlasElement::kFloat;
template <>
inline constexpr bool kHasBlas<float> = true;
template <>
inline constexpr bool kHasBlas<double> = true;
template <>
inline constexpr auto kBlasElement<double> = BlasElement::kDouble;
template <>
inline constexpr bool kHasBlas<Complex<float>> = true;
template <>
inline constexpr auto kBlasElement<Complex<float>> = BlasElement::kComplexFloat;
template <>
inline constexpr bool kHasBlas<Complex<double>> = true;
template <>
inline constexpr auto kBlasElement<Complex<double>> = BlasElement::kComplexDouble;

// Fewer multiplications than this are not worth a call.
constexpr int64_t kLeastBlasProducts = 1 << 20;

struct BlasOperand {
  const void* data;
  int64_t row_stride, column_stride;  // in elements
};
// c = a @ b, or c += a @ b; c is row-major and packed.
struct BlasProduct {
  BlasElement element;
  int64_t rows, columns, depth;
  void* c;
  BlasOperand a, b;
  bool accumulate = false;
};

// False, with nothing done: the flag `blas` names no library, or the library cannot do this product
// (its strides are not those of a matrix of rows or columns, a size is beyond its integers, it
// lacks the type). Throws if the flag names a library that cannot be used.
EAGRE_API bool multiply_with_blas(const BlasProduct& product);

}  // namespace eagre::kernels::cpu
