// What the generator makes of the records, file after file; for review.

// ======== include/eagre/api/tensor.h
// The tensor of the public API. Generated from ops/*.yaml; do not edit.
#pragma once

#include <optional>

#include <eagre/api/tensor_handle.h>
#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>

namespace eagre {

// A handle: copies share the tensor. What is not an operator is in TensorHandle.
class Tensor : public TensorHandle {
 public:
  Tensor() = default;
  Tensor(TensorBase base) : TensorHandle(std::move(base)) {}  // NOLINT: the same handle

  // The matrix product. Vectors are rows on the left and columns on the right; dimensions before the last two are batches and broadcast. (ops/linalg.yaml:3)
  Tensor matmul(const Tensor& other, CallSite at = std::source_location::current()) const;
  // The sum `input + alpha * other`, with broadcasting and type promotion. (ops/pointwise.yaml:4)
  Tensor add(const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) const;
  const Tensor& add_(const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) const;
  // The product `input * other`, with broadcasting and type promotion. (ops/pointwise.yaml:25)
  Tensor mul(const Operand& other, CallSite at = std::source_location::current()) const;
  const Tensor& mul_(const Operand& other, CallSite at = std::source_location::current()) const;
  // The difference `input - alpha * other`, with broadcasting and type promotion. (ops/pointwise.yaml:46)
  Tensor sub(const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) const;
  const Tensor& sub_(const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) const;
  // The quotient `input / other`. Integers are divided as the default floating type. (ops/pointwise.yaml:87)
  Tensor div(const Operand& other, CallSite at = std::source_location::current()) const;
  const Tensor& div_(const Operand& other, CallSite at = std::source_location::current()) const;
  // A copy with memory of its own, through which gradients flow. (ops/pointwise.yaml:115)
  Tensor clone(CallSite at = std::source_location::current()) const;
  // The sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64. (ops/reduction.yaml:3)
  Tensor sum(const OptionalDims& dim = {}, bool keepdim = false, std::optional<DType> dtype = {}, CallSite at = std::source_location::current()) const;
  // The sum over those dimensions that a tensor of shape `size` would repeat to get this shape. (ops/reduction.yaml:24)
  Tensor sum_to_size(Dims size, CallSite at = std::source_location::current()) const;
  // The negative of each element. (ops/unary.yaml:4)
  Tensor neg(CallSite at = std::source_location::current()) const;
  const Tensor& neg_(CallSite at = std::source_location::current()) const;
  // One divided by each element. (ops/unary.yaml:23)
  Tensor reciprocal(CallSite at = std::source_location::current()) const;
  const Tensor& reciprocal_(CallSite at = std::source_location::current()) const;
  // The square of each element. (ops/unary.yaml:42)
  Tensor square(CallSite at = std::source_location::current()) const;
  const Tensor& square_(CallSite at = std::source_location::current()) const;
  // The square root of each element; NaN for negative ones. (ops/unary.yaml:61)
  Tensor sqrt(CallSite at = std::source_location::current()) const;
  const Tensor& sqrt_(CallSite at = std::source_location::current()) const;
  // The exponential function of each element. Integers are computed as the default floating type. (ops/unary.yaml:80)
  Tensor exp(CallSite at = std::source_location::current()) const;
  const Tensor& exp_(CallSite at = std::source_location::current()) const;
  // The absolute value of each element. (ops/unary.yaml:99)
  Tensor abs(CallSite at = std::source_location::current()) const;
  const Tensor& abs_(CallSite at = std::source_location::current()) const;
  // 1 for positive elements, -1 for negative ones, 0 for zero and NaN. (ops/unary.yaml:118)
  Tensor sign(CallSite at = std::source_location::current()) const;
  const Tensor& sign_(CallSite at = std::source_location::current()) const;
  // Each element rounded up to an integer. Integers stay as they are. (ops/unary.yaml:137)
  Tensor ceil(CallSite at = std::source_location::current()) const;
  const Tensor& ceil_(CallSite at = std::source_location::current()) const;
  // Each element rounded down to an integer. Integers stay as they are. (ops/unary.yaml:156)
  Tensor floor(CallSite at = std::source_location::current()) const;
  const Tensor& floor_(CallSite at = std::source_location::current()) const;
  // Each element rounded to the nearest integer, ties to the even one. Integers stay as they are. (ops/unary.yaml:175)
  Tensor round(CallSite at = std::source_location::current()) const;
  const Tensor& round_(CallSite at = std::source_location::current()) const;
  // Each element rounded towards zero to an integer. Integers stay as they are. (ops/unary.yaml:194)
  Tensor trunc(CallSite at = std::source_location::current()) const;
  const Tensor& trunc_(CallSite at = std::source_location::current()) const;
  // `exp(input) - 1`, exact also where the result is small. (ops/unary.yaml:213)
  Tensor expm1(CallSite at = std::source_location::current()) const;
  const Tensor& expm1_(CallSite at = std::source_location::current()) const;
  // The natural logarithm; NaN for negative elements, -inf for zero. (ops/unary.yaml:232)
  Tensor log(CallSite at = std::source_location::current()) const;
  const Tensor& log_(CallSite at = std::source_location::current()) const;
  // The logarithm to base 2; NaN for negative elements, -inf for zero. (ops/unary.yaml:251)
  Tensor log2(CallSite at = std::source_location::current()) const;
  const Tensor& log2_(CallSite at = std::source_location::current()) const;
  // The logarithm to base 10; NaN for negative elements, -inf for zero. (ops/unary.yaml:270)
  Tensor log10(CallSite at = std::source_location::current()) const;
  const Tensor& log10_(CallSite at = std::source_location::current()) const;
  // `log(1 + input)`, exact also where the input is small. (ops/unary.yaml:289)
  Tensor log1p(CallSite at = std::source_location::current()) const;
  const Tensor& log1p_(CallSite at = std::source_location::current()) const;
  // One divided by the square root of each element; NaN for negative ones. (ops/unary.yaml:308)
  Tensor rsqrt(CallSite at = std::source_location::current()) const;
  const Tensor& rsqrt_(CallSite at = std::source_location::current()) const;
  // The sine of each element, an angle in radians. (ops/unary.yaml:327)
  Tensor sin(CallSite at = std::source_location::current()) const;
  const Tensor& sin_(CallSite at = std::source_location::current()) const;
  // The cosine of each element, an angle in radians. (ops/unary.yaml:346)
  Tensor cos(CallSite at = std::source_location::current()) const;
  const Tensor& cos_(CallSite at = std::source_location::current()) const;
  // The tangent of each element, an angle in radians. (ops/unary.yaml:365)
  Tensor tan(CallSite at = std::source_location::current()) const;
  const Tensor& tan_(CallSite at = std::source_location::current()) const;
  // The angle in radians whose sine is given, from -pi/2 to pi/2; NaN beyond -1 and 1. (ops/unary.yaml:384)
  Tensor asin(CallSite at = std::source_location::current()) const;
  const Tensor& asin_(CallSite at = std::source_location::current()) const;
  // The angle in radians whose cosine is given, from 0 to pi; NaN beyond -1 and 1. (ops/unary.yaml:403)
  Tensor acos(CallSite at = std::source_location::current()) const;
  const Tensor& acos_(CallSite at = std::source_location::current()) const;
  // The angle in radians whose tangent is given, from -pi/2 to pi/2. (ops/unary.yaml:422)
  Tensor atan(CallSite at = std::source_location::current()) const;
  const Tensor& atan_(CallSite at = std::source_location::current()) const;
  // The hyperbolic sine of each element. (ops/unary.yaml:441)
  Tensor sinh(CallSite at = std::source_location::current()) const;
  const Tensor& sinh_(CallSite at = std::source_location::current()) const;
  // The hyperbolic cosine of each element. (ops/unary.yaml:460)
  Tensor cosh(CallSite at = std::source_location::current()) const;
  const Tensor& cosh_(CallSite at = std::source_location::current()) const;
  // The hyperbolic tangent of each element. (ops/unary.yaml:479)
  Tensor tanh(CallSite at = std::source_location::current()) const;
  const Tensor& tanh_(CallSite at = std::source_location::current()) const;
  // `1 / (1 + exp(-input))` of each element. (ops/unary.yaml:498)
  Tensor sigmoid(CallSite at = std::source_location::current()) const;
  const Tensor& sigmoid_(CallSite at = std::source_location::current()) const;
  // The error function of each element. (ops/unary.yaml:517)
  Tensor erf(CallSite at = std::source_location::current()) const;
  const Tensor& erf_(CallSite at = std::source_location::current()) const;
  // Each element where it is positive, else 0. (ops/unary.yaml:536)
  Tensor relu(CallSite at = std::source_location::current()) const;
  const Tensor& relu_(CallSite at = std::source_location::current()) const;
  // The tensor with two dimensions swapped, as a view. (ops/view.yaml:3)
  Tensor transpose(int64_t dim0, int64_t dim1, CallSite at = std::source_location::current()) const;
  // Dimensions of size 1 repeated, and new ones in front, as a view; -1 keeps a size. (ops/view.yaml:20)
  Tensor expand(Dims size, CallSite at = std::source_location::current()) const;
  // A new dimension of size 1 at `dim`, as a view. (ops/view.yaml:37)
  Tensor unsqueeze(int64_t dim, CallSite at = std::source_location::current()) const;
  // Without dimension `dim` if its size is 1, as a view. (ops/view.yaml:53)
  Tensor squeeze(int64_t dim, CallSite at = std::source_location::current()) const;
};

}  // namespace eagre

// ======== include/eagre/api/functions.h
// Operators as functions, and the methods' definitions. Generated from ops/*.yaml; do not edit.
#pragma once

#include <eagre/api/located_operand.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/ops/abs.h>
#include <eagre/autograd/ops/acos.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/asin.h>
#include <eagre/autograd/ops/atan.h>
#include <eagre/autograd/ops/ceil.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/cos.h>
#include <eagre/autograd/ops/cosh.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/erf.h>
#include <eagre/autograd/ops/exp.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/expm1.h>
#include <eagre/autograd/ops/floor.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/gelu.h>
#include <eagre/autograd/ops/log.h>
#include <eagre/autograd/ops/log10.h>
#include <eagre/autograd/ops/log1p.h>
#include <eagre/autograd/ops/log2.h>
#include <eagre/autograd/ops/matmul.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/neg.h>
#include <eagre/autograd/ops/randn.h>
#include <eagre/autograd/ops/rdiv.h>
#include <eagre/autograd/ops/reciprocal.h>
#include <eagre/autograd/ops/relu.h>
#include <eagre/autograd/ops/round.h>
#include <eagre/autograd/ops/rsqrt.h>
#include <eagre/autograd/ops/rsub.h>
#include <eagre/autograd/ops/sigmoid.h>
#include <eagre/autograd/ops/sign.h>
#include <eagre/autograd/ops/silu.h>
#include <eagre/autograd/ops/sin.h>
#include <eagre/autograd/ops/sinh.h>
#include <eagre/autograd/ops/softplus.h>
#include <eagre/autograd/ops/sqrt.h>
#include <eagre/autograd/ops/square.h>
#include <eagre/autograd/ops/squeeze.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/sum_to_size.h>
#include <eagre/autograd/ops/tan.h>
#include <eagre/autograd/ops/tanh.h>
#include <eagre/autograd/ops/transpose.h>
#include <eagre/autograd/ops/trunc.h>
#include <eagre/autograd/ops/unsqueeze.h>

namespace eagre {

inline Tensor Tensor::matmul(const Tensor& other, CallSite at) const { return ops::matmul(*this, other, at); }
inline Tensor Tensor::add(const Operand& other, const Scalar& alpha, CallSite at) const { return ops::add(*this, other, alpha, at); }
inline const Tensor& Tensor::add_(const Operand& other, const Scalar& alpha, CallSite at) const {
  ops::add_(*this, other, alpha, at);
  return *this;
}
inline Tensor Tensor::mul(const Operand& other, CallSite at) const { return ops::mul(*this, other, at); }
inline const Tensor& Tensor::mul_(const Operand& other, CallSite at) const {
  ops::mul_(*this, other, at);
  return *this;
}
inline Tensor Tensor::sub(const Operand& other, const Scalar& alpha, CallSite at) const { return ops::sub(*this, other, alpha, at); }
inline const Tensor& Tensor::sub_(const Operand& other, const Scalar& alpha, CallSite at) const {
  ops::sub_(*this, other, alpha, at);
  return *this;
}
inline Tensor Tensor::div(const Operand& other, CallSite at) const { return ops::div(*this, other, at); }
inline const Tensor& Tensor::div_(const Operand& other, CallSite at) const {
  ops::div_(*this, other, at);
  return *this;
}
inline Tensor Tensor::clone(CallSite at) const { return ops::clone(*this, at); }
inline Tensor Tensor::sum(const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, CallSite at) const { return ops::sum(*this, dim, keepdim, dtype, at); }
inline Tensor Tensor::sum_to_size(Dims size, CallSite at) const { return ops::sum_to_size(*this, size, at); }
inline Tensor Tensor::neg(CallSite at) const { return ops::neg(*this, at); }
inline const Tensor& Tensor::neg_(CallSite at) const {
  ops::neg_(*this, at);
  return *this;
}
inline Tensor Tensor::reciprocal(CallSite at) const { return ops::reciprocal(*this, at); }
inline const Tensor& Tensor::reciprocal_(CallSite at) const {
  ops::reciprocal_(*this, at);
  return *this;
}
inline Tensor Tensor::square(CallSite at) const { return ops::square(*this, at); }
inline const Tensor& Tensor::square_(CallSite at) const {
  ops::square_(*this, at);
  return *this;
}
inline Tensor Tensor::sqrt(CallSite at) const { return ops::sqrt(*this, at); }
inline const Tensor& Tensor::sqrt_(CallSite at) const {
  ops::sqrt_(*this, at);
  return *this;
}
inline Tensor Tensor::exp(CallSite at) const { return ops::exp(*this, at); }
inline const Tensor& Tensor::exp_(CallSite at) const {
  ops::exp_(*this, at);
  return *this;
}
inline Tensor Tensor::abs(CallSite at) const { return ops::abs(*this, at); }
inline const Tensor& Tensor::abs_(CallSite at) const {
  ops::abs_(*this, at);
  return *this;
}
inline Tensor Tensor::sign(CallSite at) const { return ops::sign(*this, at); }
inline const Tensor& Tensor::sign_(CallSite at) const {
  ops::sign_(*this, at);
  return *this;
}
inline Tensor Tensor::ceil(CallSite at) const { return ops::ceil(*this, at); }
inline const Tensor& Tensor::ceil_(CallSite at) const {
  ops::ceil_(*this, at);
  return *this;
}
inline Tensor Tensor::floor(CallSite at) const { return ops::floor(*this, at); }
inline const Tensor& Tensor::floor_(CallSite at) const {
  ops::floor_(*this, at);
  return *this;
}
inline Tensor Tensor::round(CallSite at) const { return ops::round(*this, at); }
inline const Tensor& Tensor::round_(CallSite at) const {
  ops::round_(*this, at);
  return *this;
}
inline Tensor Tensor::trunc(CallSite at) const { return ops::trunc(*this, at); }
inline const Tensor& Tensor::trunc_(CallSite at) const {
  ops::trunc_(*this, at);
  return *this;
}
inline Tensor Tensor::expm1(CallSite at) const { return ops::expm1(*this, at); }
inline const Tensor& Tensor::expm1_(CallSite at) const {
  ops::expm1_(*this, at);
  return *this;
}
inline Tensor Tensor::log(CallSite at) const { return ops::log(*this, at); }
inline const Tensor& Tensor::log_(CallSite at) const {
  ops::log_(*this, at);
  return *this;
}
inline Tensor Tensor::log2(CallSite at) const { return ops::log2(*this, at); }
inline const Tensor& Tensor::log2_(CallSite at) const {
  ops::log2_(*this, at);
  return *this;
}
inline Tensor Tensor::log10(CallSite at) const { return ops::log10(*this, at); }
inline const Tensor& Tensor::log10_(CallSite at) const {
  ops::log10_(*this, at);
  return *this;
}
inline Tensor Tensor::log1p(CallSite at) const { return ops::log1p(*this, at); }
inline const Tensor& Tensor::log1p_(CallSite at) const {
  ops::log1p_(*this, at);
  return *this;
}
inline Tensor Tensor::rsqrt(CallSite at) const { return ops::rsqrt(*this, at); }
inline const Tensor& Tensor::rsqrt_(CallSite at) const {
  ops::rsqrt_(*this, at);
  return *this;
}
inline Tensor Tensor::sin(CallSite at) const { return ops::sin(*this, at); }
inline const Tensor& Tensor::sin_(CallSite at) const {
  ops::sin_(*this, at);
  return *this;
}
inline Tensor Tensor::cos(CallSite at) const { return ops::cos(*this, at); }
inline const Tensor& Tensor::cos_(CallSite at) const {
  ops::cos_(*this, at);
  return *this;
}
inline Tensor Tensor::tan(CallSite at) const { return ops::tan(*this, at); }
inline const Tensor& Tensor::tan_(CallSite at) const {
  ops::tan_(*this, at);
  return *this;
}
inline Tensor Tensor::asin(CallSite at) const { return ops::asin(*this, at); }
inline const Tensor& Tensor::asin_(CallSite at) const {
  ops::asin_(*this, at);
  return *this;
}
inline Tensor Tensor::acos(CallSite at) const { return ops::acos(*this, at); }
inline const Tensor& Tensor::acos_(CallSite at) const {
  ops::acos_(*this, at);
  return *this;
}
inline Tensor Tensor::atan(CallSite at) const { return ops::atan(*this, at); }
inline const Tensor& Tensor::atan_(CallSite at) const {
  ops::atan_(*this, at);
  return *this;
}
inline Tensor Tensor::sinh(CallSite at) const { return ops::sinh(*this, at); }
inline const Tensor& Tensor::sinh_(CallSite at) const {
  ops::sinh_(*this, at);
  return *this;
}
inline Tensor Tensor::cosh(CallSite at) const { return ops::cosh(*this, at); }
inline const Tensor& Tensor::cosh_(CallSite at) const {
  ops::cosh_(*this, at);
  return *this;
}
inline Tensor Tensor::tanh(CallSite at) const { return ops::tanh(*this, at); }
inline const Tensor& Tensor::tanh_(CallSite at) const {
  ops::tanh_(*this, at);
  return *this;
}
inline Tensor Tensor::sigmoid(CallSite at) const { return ops::sigmoid(*this, at); }
inline const Tensor& Tensor::sigmoid_(CallSite at) const {
  ops::sigmoid_(*this, at);
  return *this;
}
inline Tensor Tensor::erf(CallSite at) const { return ops::erf(*this, at); }
inline const Tensor& Tensor::erf_(CallSite at) const {
  ops::erf_(*this, at);
  return *this;
}
inline Tensor Tensor::relu(CallSite at) const { return ops::relu(*this, at); }
inline const Tensor& Tensor::relu_(CallSite at) const {
  ops::relu_(*this, at);
  return *this;
}
inline Tensor Tensor::transpose(int64_t dim0, int64_t dim1, CallSite at) const { return ops::transpose(*this, dim0, dim1, at); }
inline Tensor Tensor::expand(Dims size, CallSite at) const { return ops::expand(*this, size, at); }
inline Tensor Tensor::unsqueeze(int64_t dim, CallSite at) const { return ops::unsqueeze(*this, dim, at); }
inline Tensor Tensor::squeeze(int64_t dim, CallSite at) const { return ops::squeeze(*this, dim, at); }
// A tensor of shape `size` with every element `fill_value`. (ops/creation.yaml:3)
inline Tensor full(Dims size, const Scalar& fill_value, const TensorOptions& options = {}, CallSite at = std::source_location::current()) { return ops::full(size, fill_value, options, at); }
// Numbers from the normal distribution with mean 0 and variance 1. (ops/creation.yaml:20)
inline Tensor randn(Dims size, Generator* generator = nullptr, const TensorOptions& options = {}, CallSite at = std::source_location::current()) { return ops::randn(size, generator, options, at); }
inline Tensor randn(Dims size, const TensorOptions& options, CallSite at = std::source_location::current()) { return ops::randn(size, nullptr, options, at); }
// The matrix product. Vectors are rows on the left and columns on the right; dimensions before the last two are batches and broadcast. (ops/linalg.yaml:3)
inline Tensor matmul(const Tensor& input, const Tensor& other, CallSite at = std::source_location::current()) { return ops::matmul(input, other, at); }
// The sum `input + alpha * other`, with broadcasting and type promotion. (ops/pointwise.yaml:4)
inline Tensor add(const Tensor& input, const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) { return ops::add(input, other, alpha, at); }
// The product `input * other`, with broadcasting and type promotion. (ops/pointwise.yaml:25)
inline Tensor mul(const Tensor& input, const Operand& other, CallSite at = std::source_location::current()) { return ops::mul(input, other, at); }
// The difference `input - alpha * other`, with broadcasting and type promotion. (ops/pointwise.yaml:46)
inline Tensor sub(const Tensor& input, const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) { return ops::sub(input, other, alpha, at); }
// The difference the other way round: `other - alpha * input`. (ops/pointwise.yaml:67)
inline Tensor rsub(const Tensor& input, const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) { return ops::rsub(input, other, alpha, at); }
// The quotient `input / other`. Integers are divided as the default floating type. (ops/pointwise.yaml:87)
inline Tensor div(const Tensor& input, const Operand& other, CallSite at = std::source_location::current()) { return ops::div(input, other, at); }
// A copy with memory of its own, through which gradients flow. (ops/pointwise.yaml:115)
inline Tensor clone(const Tensor& input, CallSite at = std::source_location::current()) { return ops::clone(input, at); }
// The sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64. (ops/reduction.yaml:3)
inline Tensor sum(const Tensor& input, const OptionalDims& dim = {}, bool keepdim = false, std::optional<DType> dtype = {}, CallSite at = std::source_location::current()) { return ops::sum(input, dim, keepdim, dtype, at); }
// The negative of each element. (ops/unary.yaml:4)
inline Tensor neg(const Tensor& input, CallSite at = std::source_location::current()) { return ops::neg(input, at); }
// One divided by each element. (ops/unary.yaml:23)
inline Tensor reciprocal(const Tensor& input, CallSite at = std::source_location::current()) { return ops::reciprocal(input, at); }
// The square of each element. (ops/unary.yaml:42)
inline Tensor square(const Tensor& input, CallSite at = std::source_location::current()) { return ops::square(input, at); }
// The square root of each element; NaN for negative ones. (ops/unary.yaml:61)
inline Tensor sqrt(const Tensor& input, CallSite at = std::source_location::current()) { return ops::sqrt(input, at); }
// The exponential function of each element. Integers are computed as the default floating type. (ops/unary.yaml:80)
inline Tensor exp(const Tensor& input, CallSite at = std::source_location::current()) { return ops::exp(input, at); }
// The absolute value of each element. (ops/unary.yaml:99)
inline Tensor abs(const Tensor& input, CallSite at = std::source_location::current()) { return ops::abs(input, at); }
// 1 for positive elements, -1 for negative ones, 0 for zero and NaN. (ops/unary.yaml:118)
inline Tensor sign(const Tensor& input, CallSite at = std::source_location::current()) { return ops::sign(input, at); }
// Each element rounded up to an integer. Integers stay as they are. (ops/unary.yaml:137)
inline Tensor ceil(const Tensor& input, CallSite at = std::source_location::current()) { return ops::ceil(input, at); }
// Each element rounded down to an integer. Integers stay as they are. (ops/unary.yaml:156)
inline Tensor floor(const Tensor& input, CallSite at = std::source_location::current()) { return ops::floor(input, at); }
// Each element rounded to the nearest integer, ties to the even one. Integers stay as they are. (ops/unary.yaml:175)
inline Tensor round(const Tensor& input, CallSite at = std::source_location::current()) { return ops::round(input, at); }
// Each element rounded towards zero to an integer. Integers stay as they are. (ops/unary.yaml:194)
inline Tensor trunc(const Tensor& input, CallSite at = std::source_location::current()) { return ops::trunc(input, at); }
// `exp(input) - 1`, exact also where the result is small. (ops/unary.yaml:213)
inline Tensor expm1(const Tensor& input, CallSite at = std::source_location::current()) { return ops::expm1(input, at); }
// The natural logarithm; NaN for negative elements, -inf for zero. (ops/unary.yaml:232)
inline Tensor log(const Tensor& input, CallSite at = std::source_location::current()) { return ops::log(input, at); }
// The logarithm to base 2; NaN for negative elements, -inf for zero. (ops/unary.yaml:251)
inline Tensor log2(const Tensor& input, CallSite at = std::source_location::current()) { return ops::log2(input, at); }
// The logarithm to base 10; NaN for negative elements, -inf for zero. (ops/unary.yaml:270)
inline Tensor log10(const Tensor& input, CallSite at = std::source_location::current()) { return ops::log10(input, at); }
// `log(1 + input)`, exact also where the input is small. (ops/unary.yaml:289)
inline Tensor log1p(const Tensor& input, CallSite at = std::source_location::current()) { return ops::log1p(input, at); }
// One divided by the square root of each element; NaN for negative ones. (ops/unary.yaml:308)
inline Tensor rsqrt(const Tensor& input, CallSite at = std::source_location::current()) { return ops::rsqrt(input, at); }
// The sine of each element, an angle in radians. (ops/unary.yaml:327)
inline Tensor sin(const Tensor& input, CallSite at = std::source_location::current()) { return ops::sin(input, at); }
// The cosine of each element, an angle in radians. (ops/unary.yaml:346)
inline Tensor cos(const Tensor& input, CallSite at = std::source_location::current()) { return ops::cos(input, at); }
// The tangent of each element, an angle in radians. (ops/unary.yaml:365)
inline Tensor tan(const Tensor& input, CallSite at = std::source_location::current()) { return ops::tan(input, at); }
// The angle in radians whose sine is given, from -pi/2 to pi/2; NaN beyond -1 and 1. (ops/unary.yaml:384)
inline Tensor asin(const Tensor& input, CallSite at = std::source_location::current()) { return ops::asin(input, at); }
// The angle in radians whose cosine is given, from 0 to pi; NaN beyond -1 and 1. (ops/unary.yaml:403)
inline Tensor acos(const Tensor& input, CallSite at = std::source_location::current()) { return ops::acos(input, at); }
// The angle in radians whose tangent is given, from -pi/2 to pi/2. (ops/unary.yaml:422)
inline Tensor atan(const Tensor& input, CallSite at = std::source_location::current()) { return ops::atan(input, at); }
// The hyperbolic sine of each element. (ops/unary.yaml:441)
inline Tensor sinh(const Tensor& input, CallSite at = std::source_location::current()) { return ops::sinh(input, at); }
// The hyperbolic cosine of each element. (ops/unary.yaml:460)
inline Tensor cosh(const Tensor& input, CallSite at = std::source_location::current()) { return ops::cosh(input, at); }
// The hyperbolic tangent of each element. (ops/unary.yaml:479)
inline Tensor tanh(const Tensor& input, CallSite at = std::source_location::current()) { return ops::tanh(input, at); }
// `1 / (1 + exp(-input))` of each element. (ops/unary.yaml:498)
inline Tensor sigmoid(const Tensor& input, CallSite at = std::source_location::current()) { return ops::sigmoid(input, at); }
// The error function of each element. (ops/unary.yaml:517)
inline Tensor erf(const Tensor& input, CallSite at = std::source_location::current()) { return ops::erf(input, at); }
// Each element where it is positive, else 0. (ops/unary.yaml:536)
inline Tensor relu(const Tensor& input, CallSite at = std::source_location::current()) { return ops::relu(input, at); }
// `input * sigmoid(input)` of each element. (ops/unary.yaml:555)
inline Tensor silu(const Tensor& input, CallSite at = std::source_location::current()) { return ops::silu(input, at); }
// Each element times the probability that a normally distributed number is below it: `input * (1 + erf(input / sqrt(2))) / 2`. (ops/unary.yaml:574)
inline Tensor gelu(const Tensor& input, CallSite at = std::source_location::current()) { return ops::gelu(input, at); }
// `log(1 + exp(beta * input)) / beta`, a smooth form of relu. Where `beta * input` is above `threshold` the element itself. (ops/unary.yaml:594)
inline Tensor softplus(const Tensor& input, const Scalar& beta = 1, const Scalar& threshold = 20, CallSite at = std::source_location::current()) { return ops::softplus(input, beta, threshold, at); }
// The tensor with two dimensions swapped, as a view. (ops/view.yaml:3)
inline Tensor transpose(const Tensor& input, int64_t dim0, int64_t dim1, CallSite at = std::source_location::current()) { return ops::transpose(input, dim0, dim1, at); }
// A new dimension of size 1 at `dim`, as a view. (ops/view.yaml:37)
inline Tensor unsqueeze(const Tensor& input, int64_t dim, CallSite at = std::source_location::current()) { return ops::unsqueeze(input, dim, at); }
// Without dimension `dim` if its size is 1, as a view. (ops/view.yaml:53)
inline Tensor squeeze(const Tensor& input, int64_t dim, CallSite at = std::source_location::current()) { return ops::squeeze(input, dim, at); }

inline Tensor operator+(const Tensor& a, const LocatedOperand& b) {
  return ops::add(a, b, 1, b.site());
}
template <class Number>
  requires std::is_arithmetic_v<Number>
Tensor operator+(Number a, const LocatedOperand& b) {
  return ops::add(b.tensor(), a, 1, b.site());
}
inline Tensor& operator+=(Tensor& a, const LocatedOperand& b) {
  ops::add_(a, b, 1, b.site());
  return a;
}
inline Tensor operator*(const Tensor& a, const LocatedOperand& b) {
  return ops::mul(a, b, b.site());
}
template <class Number>
  requires std::is_arithmetic_v<Number>
Tensor operator*(Number a, const LocatedOperand& b) {
  return ops::mul(b.tensor(), a, b.site());
}
inline Tensor& operator*=(Tensor& a, const LocatedOperand& b) {
  ops::mul_(a, b, b.site());
  return a;
}
inline Tensor operator-(const Tensor& a, const LocatedOperand& b) {
  return ops::sub(a, b, 1, b.site());
}
template <class Number>
  requires std::is_arithmetic_v<Number>
Tensor operator-(Number a, const LocatedOperand& b) {
  return ops::rsub(b.tensor(), a, 1, b.site());
}
inline Tensor& operator-=(Tensor& a, const LocatedOperand& b) {
  ops::sub_(a, b, 1, b.site());
  return a;
}
inline Tensor operator/(const Tensor& a, const LocatedOperand& b) {
  return ops::div(a, b, b.site());
}
template <class Number>
  requires std::is_arithmetic_v<Number>
Tensor operator/(Number a, const LocatedOperand& b) {
  return ops::rdiv(b.tensor(), a, b.site());
}
inline Tensor& operator/=(Tensor& a, const LocatedOperand& b) {
  ops::div_(a, b, b.site());
  return a;
}
inline Tensor operator-(const LocatedOperand& a) {
  return ops::neg(a.tensor(), a.site());
}

}  // namespace eagre

// ======== dispatch/op_table.cpp
// All operators that have kernels. Generated from ops/*.yaml; do not edit.
#include <eagre/dispatch/registry.h>

namespace eagre::dispatch {

extern OpEntry& full_entry;
extern OpEntry& randn_entry;
extern OpEntry& matmul_entry;
extern OpEntry& add_entry;
extern OpEntry& mul_entry;
extern OpEntry& sub_entry;
extern OpEntry& rsub_entry;
extern OpEntry& div_entry;
extern OpEntry& clone_entry;
extern OpEntry& cast_entry;
extern OpEntry& sum_entry;
extern OpEntry& neg_entry;
extern OpEntry& reciprocal_entry;
extern OpEntry& square_entry;
extern OpEntry& sqrt_entry;
extern OpEntry& exp_entry;
extern OpEntry& abs_entry;
extern OpEntry& sign_entry;
extern OpEntry& ceil_entry;
extern OpEntry& floor_entry;
extern OpEntry& round_entry;
extern OpEntry& trunc_entry;
extern OpEntry& expm1_entry;
extern OpEntry& log_entry;
extern OpEntry& log2_entry;
extern OpEntry& log10_entry;
extern OpEntry& log1p_entry;
extern OpEntry& rsqrt_entry;
extern OpEntry& sin_entry;
extern OpEntry& cos_entry;
extern OpEntry& tan_entry;
extern OpEntry& asin_entry;
extern OpEntry& acos_entry;
extern OpEntry& atan_entry;
extern OpEntry& sinh_entry;
extern OpEntry& cosh_entry;
extern OpEntry& tanh_entry;
extern OpEntry& sigmoid_entry;
extern OpEntry& erf_entry;
extern OpEntry& relu_entry;
extern OpEntry& silu_entry;
extern OpEntry& gelu_entry;
extern OpEntry& softplus_entry;
extern OpEntry& softplus_slope_entry;
extern OpEntry& tanh_grad_entry;
extern OpEntry& sigmoid_grad_entry;
extern OpEntry& relu_grad_entry;
extern OpEntry& silu_grad_entry;
extern OpEntry& gelu_grad_entry;

OpTable all_ops() {
  static OpEntry* const entries[] = {
    &full_entry,
    &randn_entry,
    &matmul_entry,
    &add_entry,
    &mul_entry,
    &sub_entry,
    &rsub_entry,
    &div_entry,
    &clone_entry,
    &cast_entry,
    &sum_entry,
    &neg_entry,
    &reciprocal_entry,
    &square_entry,
    &sqrt_entry,
    &exp_entry,
    &abs_entry,
    &sign_entry,
    &ceil_entry,
    &floor_entry,
    &round_entry,
    &trunc_entry,
    &expm1_entry,
    &log_entry,
    &log2_entry,
    &log10_entry,
    &log1p_entry,
    &rsqrt_entry,
    &sin_entry,
    &cos_entry,
    &tan_entry,
    &asin_entry,
    &acos_entry,
    &atan_entry,
    &sinh_entry,
    &cosh_entry,
    &tanh_entry,
    &sigmoid_entry,
    &erf_entry,
    &relu_entry,
    &silu_entry,
    &gelu_entry,
    &softplus_entry,
    &softplus_slope_entry,
    &tanh_grad_entry,
    &sigmoid_grad_entry,
    &relu_grad_entry,
    &silu_grad_entry,
    &gelu_grad_entry,
  };
  return {entries, 49};
}

}  // namespace eagre::dispatch
