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
  // The negative of each element. (ops/pointwise.yaml:115)
  Tensor neg(CallSite at = std::source_location::current()) const;
  const Tensor& neg_(CallSite at = std::source_location::current()) const;
  // One divided by each element. (ops/pointwise.yaml:134)
  Tensor reciprocal(CallSite at = std::source_location::current()) const;
  const Tensor& reciprocal_(CallSite at = std::source_location::current()) const;
  // The square of each element. (ops/pointwise.yaml:153)
  Tensor square(CallSite at = std::source_location::current()) const;
  const Tensor& square_(CallSite at = std::source_location::current()) const;
  // The square root of each element; NaN for negative ones. (ops/pointwise.yaml:172)
  Tensor sqrt(CallSite at = std::source_location::current()) const;
  const Tensor& sqrt_(CallSite at = std::source_location::current()) const;
  // The exponential function of each element. Integers are computed as the default floating type. (ops/pointwise.yaml:191)
  Tensor exp(CallSite at = std::source_location::current()) const;
  const Tensor& exp_(CallSite at = std::source_location::current()) const;
  // A copy with memory of its own, through which gradients flow. (ops/pointwise.yaml:210)
  Tensor clone(CallSite at = std::source_location::current()) const;
  // The sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64. (ops/reduction.yaml:3)
  Tensor sum(const OptionalDims& dim = {}, bool keepdim = false, std::optional<DType> dtype = {}, CallSite at = std::source_location::current()) const;
  // The sum over those dimensions that a tensor of shape `size` would repeat to get this shape. (ops/reduction.yaml:24)
  Tensor sum_to_size(Dims size, CallSite at = std::source_location::current()) const;
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
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/exp.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/matmul.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/neg.h>
#include <eagre/autograd/ops/rand.h>
#include <eagre/autograd/ops/randn.h>
#include <eagre/autograd/ops/rdiv.h>
#include <eagre/autograd/ops/reciprocal.h>
#include <eagre/autograd/ops/rsub.h>
#include <eagre/autograd/ops/sqrt.h>
#include <eagre/autograd/ops/square.h>
#include <eagre/autograd/ops/squeeze.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/sum_to_size.h>
#include <eagre/autograd/ops/transpose.h>
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
inline Tensor Tensor::clone(CallSite at) const { return ops::clone(*this, at); }
inline Tensor Tensor::sum(const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, CallSite at) const { return ops::sum(*this, dim, keepdim, dtype, at); }
inline Tensor Tensor::sum_to_size(Dims size, CallSite at) const { return ops::sum_to_size(*this, size, at); }
inline Tensor Tensor::transpose(int64_t dim0, int64_t dim1, CallSite at) const { return ops::transpose(*this, dim0, dim1, at); }
inline Tensor Tensor::expand(Dims size, CallSite at) const { return ops::expand(*this, size, at); }
inline Tensor Tensor::unsqueeze(int64_t dim, CallSite at) const { return ops::unsqueeze(*this, dim, at); }
inline Tensor Tensor::squeeze(int64_t dim, CallSite at) const { return ops::squeeze(*this, dim, at); }
// A tensor of shape `size` with every element `fill_value`. (ops/creation.yaml:3)
inline Tensor full(Dims size, const Scalar& fill_value, const TensorOptions& options = {}, CallSite at = std::source_location::current()) { return ops::full(size, fill_value, options, at); }
// Numbers from the uniform distribution over [0, 1). (ops/creation.yaml:20)
inline Tensor rand(Dims size, Generator* generator = nullptr, const TensorOptions& options = {}, CallSite at = std::source_location::current()) { return ops::rand(size, generator, options, at); }
inline Tensor rand(Dims size, const TensorOptions& options, CallSite at = std::source_location::current()) { return ops::rand(size, nullptr, options, at); }
// Numbers from the normal distribution with mean 0 and variance 1. (ops/creation.yaml:38)
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
// The negative of each element. (ops/pointwise.yaml:115)
inline Tensor neg(const Tensor& input, CallSite at = std::source_location::current()) { return ops::neg(input, at); }
// One divided by each element. (ops/pointwise.yaml:134)
inline Tensor reciprocal(const Tensor& input, CallSite at = std::source_location::current()) { return ops::reciprocal(input, at); }
// The square of each element. (ops/pointwise.yaml:153)
inline Tensor square(const Tensor& input, CallSite at = std::source_location::current()) { return ops::square(input, at); }
// The square root of each element; NaN for negative ones. (ops/pointwise.yaml:172)
inline Tensor sqrt(const Tensor& input, CallSite at = std::source_location::current()) { return ops::sqrt(input, at); }
// The exponential function of each element. Integers are computed as the default floating type. (ops/pointwise.yaml:191)
inline Tensor exp(const Tensor& input, CallSite at = std::source_location::current()) { return ops::exp(input, at); }
// A copy with memory of its own, through which gradients flow. (ops/pointwise.yaml:210)
inline Tensor clone(const Tensor& input, CallSite at = std::source_location::current()) { return ops::clone(input, at); }
// The sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64. (ops/reduction.yaml:3)
inline Tensor sum(const Tensor& input, const OptionalDims& dim = {}, bool keepdim = false, std::optional<DType> dtype = {}, CallSite at = std::source_location::current()) { return ops::sum(input, dim, keepdim, dtype, at); }
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
extern OpEntry& rand_entry;
extern OpEntry& randn_entry;
extern OpEntry& matmul_entry;
extern OpEntry& add_entry;
extern OpEntry& mul_entry;
extern OpEntry& sub_entry;
extern OpEntry& rsub_entry;
extern OpEntry& div_entry;
extern OpEntry& neg_entry;
extern OpEntry& reciprocal_entry;
extern OpEntry& square_entry;
extern OpEntry& sqrt_entry;
extern OpEntry& exp_entry;
extern OpEntry& clone_entry;
extern OpEntry& cast_entry;
extern OpEntry& sum_entry;

OpTable all_ops() {
  static OpEntry* const entries[] = {
    &full_entry,
    &rand_entry,
    &randn_entry,
    &matmul_entry,
    &add_entry,
    &mul_entry,
    &sub_entry,
    &rsub_entry,
    &div_entry,
    &neg_entry,
    &reciprocal_entry,
    &square_entry,
    &sqrt_entry,
    &exp_entry,
    &clone_entry,
    &cast_entry,
    &sum_entry,
  };
  return {entries, 17};
}

}  // namespace eagre::dispatch
