// What the generator makes of the records, file after file; for review.

// ======== include/eagre/api/tensor.h
// The tensor of the public API. Generated from ops/*.yaml; do not edit.
#pragma once

#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <eagre/api/generator_ref.h>
#include <eagre/api/tensor_handle.h>
#include <eagre/base/call_site.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_list.h>
#include <eagre/core/text.h>

namespace eagre {

class LocatedOperand;

// A handle: copies share the tensor. What is not an operator is in TensorHandle.
class Tensor : public TensorHandle {
 public:
  Tensor() = default;
  Tensor(TensorBase base) : TensorHandle(std::move(base)) {}  // NOLINT: the same handle
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  ~Tensor() = default;
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & = default;
  // t[0] = 5, t.select(1, 0) = other: nobody could see another tensor in the place of a temporary,
  // so its elements are written.
  Tensor operator=(const LocatedOperand& value) &&;  // NOLINT: libtorch's assignment

  // The sum `input + alpha * other`, with broadcasting and type promotion. (ops/arithmetic.yaml:3)
  Tensor add(const Operand& other, const Scalar& alpha = 1,
             CallSite at = std::source_location::current()) const;
  Tensor& add_(const Operand& other, const Scalar& alpha = 1,
               CallSite at = std::source_location::current()) const;
  // The product `input * other`, with broadcasting and type promotion. (ops/arithmetic.yaml:26)
  Tensor mul(const Operand& other, CallSite at = std::source_location::current()) const;
  Tensor& mul_(const Operand& other, CallSite at = std::source_location::current()) const;
  Tensor multiply(const Operand& other, CallSite at = std::source_location::current()) const;
  Tensor& multiply_(const Operand& other, CallSite at = std::source_location::current()) const;
  // True where `input` equals `other`. (ops/compare.yaml:3)
  Tensor eq(const Operand& other, CallSite at = std::source_location::current()) const;
  Tensor& eq_(const Operand& other, CallSite at = std::source_location::current()) const;
  // Writes the values of `src` into this tensor: broadcast to its shape, as its dtype, on its
  // device. (ops/copy.yaml:80)
  EAGRE_API Tensor& copy_(const Tensor& src, bool non_blocking = false,
                          CallSite at = std::source_location::current()) const;
  // The exponential function of each element. Integers are computed as the default floating type.
  // (ops/elementary.yaml:154)
  Tensor exp(CallSite at = std::source_location::current()) const;
  Tensor& exp_(CallSite at = std::source_location::current()) const;
  // The matrix product. Vectors are rows on the left and columns on the right; dimensions before
  // the last two are batches and broadcast. Floating-point sums may differ in their last bits
  // between processors, as those that can multiply and add with one rounding do.
  // (ops/linalg.yaml:3)
  Tensor matmul(const Tensor& other, CallSite at = std::source_location::current()) const;
  // The sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64.
  // (ops/reduction.yaml:3)
  Tensor sum(const OptionalDims& dim = {}, bool keepdim = false, std::optional<DType> dtype = {},
             CallSite at = std::source_location::current()) const;
  Tensor sum(ChosenDType auto dtype, CallSite at = std::source_location::current()) const;
  // The tensor with two dimensions swapped, as a view. (ops/view.yaml:3)
  Tensor transpose(int64_t dim0, int64_t dim1, CallSite at = std::source_location::current()) const;
  Tensor& transpose_(int64_t dim0, int64_t dim1,
                     CallSite at = std::source_location::current()) const;
  Tensor swapaxes(int64_t dim0, int64_t dim1, CallSite at = std::source_location::current()) const;
  Tensor& swapaxes_(int64_t dim0, int64_t dim1,
                    CallSite at = std::source_location::current()) const;
  Tensor swapdims(int64_t dim0, int64_t dim1, CallSite at = std::source_location::current()) const;
  Tensor& swapdims_(int64_t dim0, int64_t dim1,
                    CallSite at = std::source_location::current()) const;
};

}  // namespace eagre

// ======== include/eagre/api/functions.h
// Operators as functions, and the methods' definitions. Generated from ops/*.yaml; do not edit.
#pragma once

#include <eagre/api/located_operand.h>
#include <eagre/api/results.h>
#include <eagre/api/tensor.h>
#include <eagre/ops/add.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/exp.h>
#include <eagre/ops/full.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/randn.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/transpose.h>
#include <eagre/base/within.h>

namespace eagre {

inline Tensor Tensor::operator=(const LocatedOperand& value) && {
  assign(value, value.site());
  return *this;
}

inline Tensor Tensor::add(const Operand& other, const Scalar& alpha, CallSite at) const {
  return ops::add(*this, other, alpha, at);
}
inline Tensor& Tensor::add_(const Operand& other, const Scalar& alpha, CallSite at) const {
  ops::add_(*this, other, alpha, at);
  return self();
}
inline Tensor Tensor::mul(const Operand& other, CallSite at) const {
  return ops::mul(*this, other, at);
}
inline Tensor& Tensor::mul_(const Operand& other, CallSite at) const {
  ops::mul_(*this, other, at);
  return self();
}
inline Tensor Tensor::multiply(const Operand& other, CallSite at) const {
  return ops::mul(*this, other, at);
}
inline Tensor& Tensor::multiply_(const Operand& other, CallSite at) const {
  ops::mul_(*this, other, at);
  return self();
}
inline Tensor Tensor::eq(const Operand& other, CallSite at) const {
  return ops::eq(*this, other, at);
}
inline Tensor& Tensor::eq_(const Operand& other, CallSite at) const {
  ops::eq_(*this, other, at);
  return self();
}
inline Tensor Tensor::exp(CallSite at) const { return ops::exp(*this, at); }
inline Tensor& Tensor::exp_(CallSite at) const {
  ops::exp_(*this, at);
  return self();
}
inline Tensor Tensor::matmul(const Tensor& other, CallSite at) const {
  return ops::matmul(*this, other, at);
}
inline Tensor Tensor::sum(const OptionalDims& dim, bool keepdim, std::optional<DType> dtype,
                          CallSite at) const {
  return ops::sum(*this, dim, keepdim, dtype, at);
}
inline Tensor Tensor::sum(ChosenDType auto dtype, CallSite at) const {
  return ops::sum(*this, {}, false, dtype, at);
}
inline Tensor Tensor::transpose(int64_t dim0, int64_t dim1, CallSite at) const {
  return ops::transpose(*this, dim0, dim1, at);
}
inline Tensor& Tensor::transpose_(int64_t dim0, int64_t dim1, CallSite at) const {
  ops::transpose_(*this, dim0, dim1, at);
  return self();
}
inline Tensor Tensor::swapaxes(int64_t dim0, int64_t dim1, CallSite at) const {
  return ops::transpose(*this, dim0, dim1, at);
}
inline Tensor& Tensor::swapaxes_(int64_t dim0, int64_t dim1, CallSite at) const {
  ops::transpose_(*this, dim0, dim1, at);
  return self();
}
inline Tensor Tensor::swapdims(int64_t dim0, int64_t dim1, CallSite at) const {
  return ops::transpose(*this, dim0, dim1, at);
}
inline Tensor& Tensor::swapdims_(int64_t dim0, int64_t dim1, CallSite at) const {
  ops::transpose_(*this, dim0, dim1, at);
  return self();
}
// The sum `input + alpha * other`, with broadcasting and type promotion. (ops/arithmetic.yaml:3)
inline Tensor add(const Tensor& input, const Operand& other, const Scalar& alpha = 1,
                  CallSite at = std::source_location::current()) {
  return ops::add(input, other, alpha, at);
}
inline Tensor add_out(const Tensor& out, const Tensor& input, const Operand& other,
                      const Scalar& alpha = 1, CallSite at = std::source_location::current()) {
  ops::add_out(input, other, alpha, out, at);
  return out;
}
// The product `input * other`, with broadcasting and type promotion. (ops/arithmetic.yaml:26)
inline Tensor mul(const Tensor& input, const Operand& other,
                  CallSite at = std::source_location::current()) {
  return ops::mul(input, other, at);
}
inline Tensor multiply(const Tensor& input, const Operand& other,
                       CallSite at = std::source_location::current()) {
  return ops::mul(input, other, at);
}
inline Tensor mul_out(const Tensor& out, const Tensor& input, const Operand& other,
                      CallSite at = std::source_location::current()) {
  ops::mul_out(input, other, out, at);
  return out;
}
inline Tensor multiply_out(const Tensor& out, const Tensor& input, const Operand& other,
                           CallSite at = std::source_location::current()) {
  ops::mul_out(input, other, out, at);
  return out;
}
// True where `input` equals `other`. (ops/compare.yaml:3)
inline Tensor eq(const Tensor& input, const Operand& other,
                 CallSite at = std::source_location::current()) {
  return ops::eq(input, other, at);
}
inline Tensor eq_out(const Tensor& out, const Tensor& input, const Operand& other,
                     CallSite at = std::source_location::current()) {
  ops::eq_out(input, other, out, at);
  return out;
}
// A tensor of shape `size` with every element `fill_value`. (ops/creation.yaml:57)
inline Tensor full(Dims size, const Scalar& fill_value, const TensorOptions& options = {},
                   CallSite at = std::source_location::current()) {
  return ops::full(size, fill_value, options, at);
}
inline Tensor full(Dims size, const Scalar& fill_value, DType dtype, Device device,
                   CallSite at = std::source_location::current()) {
  return ops::full(size, fill_value, TensorOptions(dtype).device(device), at);
}
inline Tensor full(Dims size, const Scalar& fill_value, std::optional<DType> dtype,
                   std::optional<Layout> layout, std::optional<Device> device,
                   std::optional<bool> pin_memory, CallSite at = std::source_location::current()) {
  return ops::full(size, fill_value, TensorOptions::of(dtype, layout, device, pin_memory), at);
}
inline Tensor full_out(const Tensor& out, Dims size, const Scalar& fill_value,
                       const TensorOptions& options = {},
                       CallSite at = std::source_location::current()) {
  ops::full_out(size, fill_value, options, out, at);
  return out;
}
// The exponential function of each element. Integers are computed as the default floating type.
// (ops/elementary.yaml:154)
inline Tensor exp(const Tensor& input, CallSite at = std::source_location::current()) {
  return ops::exp(input, at);
}
inline Tensor exp_out(const Tensor& out, const Tensor& input,
                      CallSite at = std::source_location::current()) {
  ops::exp_out(input, out, at);
  return out;
}
// The matrix product. Vectors are rows on the left and columns on the right; dimensions before the
// last two are batches and broadcast. Floating-point sums may differ in their last bits between
// processors, as those that can multiply and add with one rounding do. (ops/linalg.yaml:3)
inline Tensor matmul(const Tensor& input, const Tensor& other,
                     CallSite at = std::source_location::current()) {
  return ops::matmul(input, other, at);
}
inline Tensor linalg_matmul(const Tensor& input, const Tensor& other,
                            CallSite at = std::source_location::current()) {
  return ops::matmul(input, other, at);
}
inline Tensor matmul_out(const Tensor& out, const Tensor& input, const Tensor& other,
                         CallSite at = std::source_location::current()) {
  ops::matmul_out(input, other, out, at);
  return out;
}
inline Tensor linalg_matmul_out(const Tensor& out, const Tensor& input, const Tensor& other,
                                CallSite at = std::source_location::current()) {
  ops::matmul_out(input, other, out, at);
  return out;
}
// Numbers from the normal distribution with mean 0 and variance 1. (ops/random.yaml:25)
inline Tensor randn(Dims size, const TensorOptions& options = {},
                    CallSite at = std::source_location::current()) {
  return ops::randn(size, nullptr, options, at);
}
inline Tensor randn(Dims size, DType dtype, Device device,
                    CallSite at = std::source_location::current()) {
  return ops::randn(size, nullptr, TensorOptions(dtype).device(device), at);
}
inline Tensor randn(Dims size, std::optional<DType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory,
                    CallSite at = std::source_location::current()) {
  return ops::randn(size, nullptr, TensorOptions::of(dtype, layout, device, pin_memory), at);
}
inline Tensor randn(Dims size, GeneratorRef generator, const TensorOptions& options = {},
                    CallSite at = std::source_location::current()) {
  return ops::randn(size, generator, options, at);
}
inline Tensor randn(Dims size, GeneratorRef generator, DType dtype, Device device,
                    CallSite at = std::source_location::current()) {
  return ops::randn(size, generator, TensorOptions(dtype).device(device), at);
}
inline Tensor randn(Dims size, GeneratorRef generator, std::optional<DType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device,
                    std::optional<bool> pin_memory, CallSite at = std::source_location::current()) {
  return ops::randn(size, generator, TensorOptions::of(dtype, layout, device, pin_memory), at);
}
inline Tensor randn_out(const Tensor& out, Dims size, const TensorOptions& options = {},
                        CallSite at = std::source_location::current()) {
  ops::randn_out(size, nullptr, options, out, at);
  return out;
}
// The sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64.
// (ops/reduction.yaml:3)
inline Tensor sum(const Tensor& input, const OptionalDims& dim = {}, bool keepdim = false,
                  std::optional<DType> dtype = {}, CallSite at = std::source_location::current()) {
  return ops::sum(input, dim, keepdim, dtype, at);
}
inline Tensor sum(const Tensor& input, ChosenDType auto dtype,
                  CallSite at = std::source_location::current()) {
  return ops::sum(input, {}, false, dtype, at);
}
inline Tensor sum_out(const Tensor& out, const Tensor& input, const OptionalDims& dim = {},
                      bool keepdim = false, std::optional<DType> dtype = {},
                      CallSite at = std::source_location::current()) {
  ops::sum_out(input, dim, keepdim, dtype, out, at);
  return out;
}
// The tensor with two dimensions swapped, as a view. (ops/view.yaml:3)
inline Tensor transpose(const Tensor& input, int64_t dim0, int64_t dim1,
                        CallSite at = std::source_location::current()) {
  return ops::transpose(input, dim0, dim1, at);
}
inline Tensor swapaxes(const Tensor& input, int64_t dim0, int64_t dim1,
                       CallSite at = std::source_location::current()) {
  return ops::transpose(input, dim0, dim1, at);
}
inline Tensor swapdims(const Tensor& input, int64_t dim0, int64_t dim1,
                       CallSite at = std::source_location::current()) {
  return ops::transpose(input, dim0, dim1, at);
}
inline Tensor operator+(const Tensor& a, const LocatedOperand& b) {
  return ops::add(a, b, 1, b.site());
}
template <NumberOrScalar T>
Tensor operator+(const T& a, const LocatedTensor& b) {
  return ops::add(b.tensor(), a, 1, b.site());
}
inline Tensor& operator+=(Tensor& a, const LocatedOperand& b) {
  ops::add_(a, b, 1, b.site());
  return a;
}
inline Tensor operator+=(Tensor&& a, const LocatedOperand& b) {
  ops::add_(a, b, 1, b.site());
  return std::move(a);
}
inline Tensor operator*(const Tensor& a, const LocatedOperand& b) {
  return ops::mul(a, b, b.site());
}
template <NumberOrScalar T>
Tensor operator*(const T& a, const LocatedTensor& b) { return ops::mul(b.tensor(), a, b.site()); }
inline Tensor& operator*=(Tensor& a, const LocatedOperand& b) {
  ops::mul_(a, b, b.site());
  return a;
}
inline Tensor operator*=(Tensor&& a, const LocatedOperand& b) {
  ops::mul_(a, b, b.site());
  return std::move(a);
}
inline Tensor operator==(const Tensor& a, const LocatedOperand& b) {
  return ops::eq(a, b, b.site());
}

}  // namespace eagre

// ======== api/composites.cpp
// The public functions and methods of composites. Generated from ops/*.yaml; do not edit.
#include <eagre/api/functions.h>

#include <eagre/api/results.h>
#include <eagre/api/tensor.h>
#include <eagre/ops/copy.h>
#include <eagre/base/within.h>

namespace eagre {

Tensor& Tensor::copy_(const Tensor& src, bool non_blocking, CallSite at) const {
  within("copy_", [&] { return ops::copy_(*this, src, non_blocking, at); });
  return self();
}

}  // namespace eagre
