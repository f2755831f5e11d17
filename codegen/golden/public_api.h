// What the generator makes of the records, file after file; for review.

// ======== include/eagre/api/tensor.h
// The tensor of the public API. Generated from ops/*.yaml; do not edit.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <eagre/api/tensor_handle.h>
#include <eagre/base/call_site.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_list.h>

namespace eagre {

class Generator;

// A handle: copies share the tensor. What is not an operator is in TensorHandle.
class Tensor : public TensorHandle {
 public:
  Tensor() = default;
  Tensor(TensorBase base) : TensorHandle(std::move(base)) {}  // NOLINT: the same handle

  // The sum `input + alpha * other`, with broadcasting and type promotion. (ops/binary.yaml:4)
  Tensor add(const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) const;
  const Tensor& add_(const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) const;
  // The product `input * other`, with broadcasting and type promotion. (ops/binary.yaml:25)
  Tensor mul(const Operand& other, CallSite at = std::source_location::current()) const;
  const Tensor& mul_(const Operand& other, CallSite at = std::source_location::current()) const;
  // Writes the values of `src` into this tensor: broadcast to its shape, as its dtype, on its device. (ops/binary.yaml:411)
  const Tensor& copy_(const Tensor& src, bool non_blocking = false, CallSite at = std::source_location::current()) const;
  // True where `input` equals `other`. (ops/compare.yaml:3)
  Tensor eq(const Operand& other, CallSite at = std::source_location::current()) const;
  const Tensor& eq_(const Operand& other, CallSite at = std::source_location::current()) const;
  // The matrix product. Vectors are rows on the left and columns on the right; dimensions before the last two are batches and broadcast. Floating-point sums may differ in their last bits between processors, as those that can multiply and add with one rounding do. (ops/linalg.yaml:3)
  Tensor matmul(const Tensor& other, CallSite at = std::source_location::current()) const;
  // The sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64. (ops/reduction.yaml:3)
  Tensor sum(const OptionalDims& dim = {}, bool keepdim = false, std::optional<DType> dtype = {}, CallSite at = std::source_location::current()) const;
  // The exponential function of each element. Integers are computed as the default floating type. (ops/unary.yaml:80)
  Tensor exp(CallSite at = std::source_location::current()) const;
  const Tensor& exp_(CallSite at = std::source_location::current()) const;
  // The tensor with two dimensions swapped, as a view. (ops/view.yaml:3)
  Tensor transpose(int64_t dim0, int64_t dim1, CallSite at = std::source_location::current()) const;
};

}  // namespace eagre

// ======== include/eagre/api/functions.h
// Operators as functions, and the methods' definitions. Generated from ops/*.yaml; do not edit.
#pragma once

#include <eagre/api/located_operand.h>
#include <eagre/api/results.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/copy.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/exp.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/matmul.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/randn.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/transpose.h>

namespace eagre {

inline Tensor Tensor::add(const Operand& other, const Scalar& alpha, CallSite at) const {
  return ops::add(*this, other, alpha, at);
}
inline const Tensor& Tensor::add_(const Operand& other, const Scalar& alpha, CallSite at) const {
  ops::add_(*this, other, alpha, at);
  return *this;
}
inline Tensor Tensor::mul(const Operand& other, CallSite at) const {
  return ops::mul(*this, other, at);
}
inline const Tensor& Tensor::mul_(const Operand& other, CallSite at) const {
  ops::mul_(*this, other, at);
  return *this;
}
inline const Tensor& Tensor::copy_(const Tensor& src, bool non_blocking, CallSite at) const {
  ops::copy_(*this, src, non_blocking, at);
  return *this;
}
inline Tensor Tensor::eq(const Operand& other, CallSite at) const {
  return ops::eq(*this, other, at);
}
inline const Tensor& Tensor::eq_(const Operand& other, CallSite at) const {
  ops::eq_(*this, other, at);
  return *this;
}
inline Tensor Tensor::matmul(const Tensor& other, CallSite at) const {
  return ops::matmul(*this, other, at);
}
inline Tensor Tensor::sum(const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, CallSite at) const {
  return ops::sum(*this, dim, keepdim, dtype, at);
}
inline Tensor Tensor::exp(CallSite at) const {
  return ops::exp(*this, at);
}
inline const Tensor& Tensor::exp_(CallSite at) const {
  ops::exp_(*this, at);
  return *this;
}
inline Tensor Tensor::transpose(int64_t dim0, int64_t dim1, CallSite at) const {
  return ops::transpose(*this, dim0, dim1, at);
}
// The sum `input + alpha * other`, with broadcasting and type promotion. (ops/binary.yaml:4)
inline Tensor add(const Tensor& input, const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) {
  return ops::add(input, other, alpha, at);
}
inline const Tensor& add_out(const Tensor& out, const Tensor& input, const Operand& other, const Scalar& alpha = 1, CallSite at = std::source_location::current()) {
  ops::add_out(input, other, alpha, out, at);
  return out;
}
// The product `input * other`, with broadcasting and type promotion. (ops/binary.yaml:25)
inline Tensor mul(const Tensor& input, const Operand& other, CallSite at = std::source_location::current()) {
  return ops::mul(input, other, at);
}
inline const Tensor& mul_out(const Tensor& out, const Tensor& input, const Operand& other, CallSite at = std::source_location::current()) {
  ops::mul_out(input, other, out, at);
  return out;
}
// True where `input` equals `other`. (ops/compare.yaml:3)
inline Tensor eq(const Tensor& input, const Operand& other, CallSite at = std::source_location::current()) {
  return ops::eq(input, other, at);
}
inline const Tensor& eq_out(const Tensor& out, const Tensor& input, const Operand& other, CallSite at = std::source_location::current()) {
  ops::eq_out(input, other, out, at);
  return out;
}
// A tensor of shape `size` with every element `fill_value`. (ops/creation.yaml:3)
inline Tensor full(Dims size, const Scalar& fill_value, const TensorOptions& options = {}, CallSite at = std::source_location::current()) {
  return ops::full(size, fill_value, options, at);
}
// Numbers from the normal distribution with mean 0 and variance 1. (ops/creation.yaml:38)
inline Tensor randn(Dims size, Generator* generator = nullptr, const TensorOptions& options = {}, CallSite at = std::source_location::current()) {
  return ops::randn(size, generator, options, at);
}
inline Tensor randn(Dims size, const TensorOptions& options, CallSite at = std::source_location::current()) { return ops::randn(size, nullptr, options, at); }
// The matrix product. Vectors are rows on the left and columns on the right; dimensions before the last two are batches and broadcast. Floating-point sums may differ in their last bits between processors, as those that can multiply and add with one rounding do. (ops/linalg.yaml:3)
inline Tensor matmul(const Tensor& input, const Tensor& other, CallSite at = std::source_location::current()) {
  return ops::matmul(input, other, at);
}
// The sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64. (ops/reduction.yaml:3)
inline Tensor sum(const Tensor& input, const OptionalDims& dim = {}, bool keepdim = false, std::optional<DType> dtype = {}, CallSite at = std::source_location::current()) {
  return ops::sum(input, dim, keepdim, dtype, at);
}
// The exponential function of each element. Integers are computed as the default floating type. (ops/unary.yaml:80)
inline Tensor exp(const Tensor& input, CallSite at = std::source_location::current()) {
  return ops::exp(input, at);
}
inline const Tensor& exp_out(const Tensor& out, const Tensor& input, CallSite at = std::source_location::current()) {
  ops::exp_out(input, out, at);
  return out;
}
// The tensor with two dimensions swapped, as a view. (ops/view.yaml:3)
inline Tensor transpose(const Tensor& input, int64_t dim0, int64_t dim1, CallSite at = std::source_location::current()) {
  return ops::transpose(input, dim0, dim1, at);
}
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
inline Tensor operator==(const Tensor& a, const LocatedOperand& b) {
  return ops::eq(a, b, b.site());
}

}  // namespace eagre

// ======== dispatch/op_table.cpp
// All operators that have kernels. Generated from ops/*.yaml; do not edit.
#include <eagre/dispatch/registry.h>

namespace eagre::dispatch {

extern OpEntry& add_entry;
extern OpEntry& mul_entry;
extern OpEntry& cast_entry;
extern OpEntry& eq_entry;
extern OpEntry& full_entry;
extern OpEntry& randn_entry;
extern OpEntry& matmul_entry;
extern OpEntry& sum_entry;
extern OpEntry& exp_entry;

OpTable all_ops() {
  static OpEntry* const entries[] = {
    &add_entry,
    &mul_entry,
    &cast_entry,
    &eq_entry,
    &full_entry,
    &randn_entry,
    &matmul_entry,
    &sum_entry,
    &exp_entry,
  };
  return {entries, 9};
}

}  // namespace eagre::dispatch

// ======== python/table.cpp
// The Python functions, methods and operators. Generated from ops/*.yaml; do not edit.
#include "method.h"
#include "tensor_type.h"

namespace eagre::python {

using FastFunction = PyObject*(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
using TernaryFunction = PyObject*(PyObject*, PyObject*, PyObject*);
using BinaryFunction = PyObject*(PyObject*, PyObject*);
using UnaryFunction = PyObject*(PyObject*);

FastFunction add_function;
FastFunction add_method;
FastFunction add_inplace;
BinaryFunction add_slot;
BinaryFunction add_inplace_slot;
FastFunction mul_function;
FastFunction mul_method;
FastFunction mul_inplace;
BinaryFunction mul_slot;
BinaryFunction mul_inplace_slot;
FastFunction copy_inplace;
FastFunction eq_function;
FastFunction eq_method;
FastFunction eq_inplace;
BinaryFunction eq_slot;
FastFunction full_function;
FastFunction randn_function;
FastFunction matmul_function;
FastFunction matmul_method;
BinaryFunction matmul_slot;
FastFunction sum_function;
FastFunction sum_method;
FastFunction exp_function;
FastFunction exp_method;
FastFunction exp_inplace;
FastFunction transpose_function;
FastFunction transpose_method;

const PyMethodDef kGeneratedFunctions[] = {
    method("add", add_function, "add(input, other, *, alpha=1, out=None)\n--\n\nThe sum `input + alpha * other`, with broadcasting and type promotion.\n\n>>> eagre.add(eagre.tensor([1., 2.]), 10)\ntensor([11., 12.])"),
    method("mul", mul_function, "mul(input, other, *, out=None)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    method("eq", eq_function, "eq(input, other, *, out=None)\n--\n\nTrue where `input` equals `other`.\n\n>>> eagre.tensor([1, 2]) == 2\ntensor([False,  True])"),
    method("full", full_function, "full(size, fill_value, *, dtype=None, device=None, requires_grad=False)\n--\n\nA tensor of shape `size` with every element `fill_value`.\n\n>>> eagre.full((2,), 3.)\ntensor([3., 3.])"),
    method("randn", randn_function, "randn(*size, generator=None, dtype=None, device=None, requires_grad=False)\n--\n\nNumbers from the normal distribution with mean 0 and variance 1.\n\n>>> eagre.manual_seed(0)\n>>> eagre.randn(2, 3).shape\neagre.Size([2, 3])"),
    method("matmul", matmul_function, "matmul(input, other)\n--\n\nThe matrix product. Vectors are rows on the left and columns on the right; dimensions before the\nlast two are batches and broadcast. Floating-point sums may differ in their last bits between\nprocessors, as those that can multiply and add with one rounding do.\n\n>>> eagre.matmul(eagre.tensor([[1., 2.], [3., 4.]]), eagre.tensor([1., 1.]))\ntensor([3., 7.])"),
    method("sum", sum_function, "sum(input, dim=None, keepdim=False, *, dtype=None)\n--\n\nThe sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64.\n\n>>> eagre.sum(eagre.tensor([[1., 2.], [3., 4.]]), 0)\ntensor([4., 6.])"),
    method("exp", exp_function, "exp(input, *, out=None)\n--\n\nThe exponential function of each element. Integers are computed as the default floating type.\n\n>>> eagre.exp(eagre.tensor([0., 1.]))\ntensor([1.0000, 2.7183])"),
    method("transpose", transpose_function, "transpose(input, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    {}};

const PyMethodDef kGeneratedMethods[] = {
    method("add", add_method, "add($self, other, *, alpha=1)\n--\n\nThe sum `input + alpha * other`, with broadcasting and type promotion.\n\n>>> eagre.add(eagre.tensor([1., 2.]), 10)\ntensor([11., 12.])"),
    method("add_", add_inplace, "add_($self, other, *, alpha=1)\n--\n\nThe same, written into this tensor."),
    method("mul", mul_method, "mul($self, other)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    method("mul_", mul_inplace, "mul_($self, other)\n--\n\nThe same, written into this tensor."),
    method("copy_", copy_inplace, "copy_($self, src, non_blocking=False)\n--\n\nWrites the values of `src` into this tensor: broadcast to its shape, as its dtype, on its device.\n\n>>> eagre.zeros(2).copy_(eagre.tensor([1, 2]))\ntensor([1., 2.])"),
    method("eq", eq_method, "eq($self, other)\n--\n\nTrue where `input` equals `other`.\n\n>>> eagre.tensor([1, 2]) == 2\ntensor([False,  True])"),
    method("eq_", eq_inplace, "eq_($self, other)\n--\n\nThe same, written into this tensor."),
    method("matmul", matmul_method, "matmul($self, other)\n--\n\nThe matrix product. Vectors are rows on the left and columns on the right; dimensions before the\nlast two are batches and broadcast. Floating-point sums may differ in their last bits between\nprocessors, as those that can multiply and add with one rounding do.\n\n>>> eagre.matmul(eagre.tensor([[1., 2.], [3., 4.]]), eagre.tensor([1., 1.]))\ntensor([3., 7.])"),
    method("sum", sum_method, "sum($self, dim=None, keepdim=False, *, dtype=None)\n--\n\nThe sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64.\n\n>>> eagre.sum(eagre.tensor([[1., 2.], [3., 4.]]), 0)\ntensor([4., 6.])"),
    method("exp", exp_method, "exp($self)\n--\n\nThe exponential function of each element. Integers are computed as the default floating type.\n\n>>> eagre.exp(eagre.tensor([0., 1.]))\ntensor([1.0000, 2.7183])"),
    method("exp_", exp_inplace, "exp_($self)\n--\n\nThe same, written into this tensor."),
    method("transpose", transpose_method, "transpose($self, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    {}};

void fill_operators(PyNumberMethods& slots) {
  slots.nb_add = add_slot;
  slots.nb_inplace_add = add_inplace_slot;
  slots.nb_multiply = mul_slot;
  slots.nb_inplace_multiply = mul_inplace_slot;
  slots.nb_matrix_multiply = matmul_slot;
}

PyObject* compare_tensors([[maybe_unused]] PyObject* self, [[maybe_unused]] PyObject* other,
                          int comparison) {
  switch (comparison) {
    case Py_EQ: return eq_slot(self, other);
    default: Py_RETURN_NOTIMPLEMENTED;
  }
}

}  // namespace eagre::python
