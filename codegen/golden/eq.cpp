// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/eq.h
// eq: dispatch, and recording of the gradient. Generated from ops/compare.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase eq(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void eq_(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void eq_out(const TensorBase& input, const Operand& other, const TensorBase& out,
                      CallSite at);

}  // namespace eagre::ops

// ======== ops/compare_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/eq.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/eq.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/compare.yaml:3 ----
namespace {
TensorBase eq_batched(const TensorBase& input, const Operand& other, CallSite at) {
  Level* const level = TransformedInputs(input, other).batch_level();
  if (level == nullptr) return dispatch::eq(input, other);
  BatchCall call("eq", level, at);
  call.align(input, other);
  call.promote(input, other);
  return call.result(ops::eq(call.aligned(input), call.aligned(other), at));
}

template <bool kTransformed>
EAGRE_INLINE TensorBase eq_recorded(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = kTransformed ? eq_batched(input, other, at) : dispatch::eq(input, other);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase eq_transformed(const TensorBase& input, const Operand& other, CallSite at) {
  return eq_recorded<true>(input, other, at);
}
}  // namespace

TensorBase eq(const TensorBase& input, const Operand& other, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return eq_transformed(input, other, at);
  return eq_recorded<false>(input, other, at);
}

void eq_(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  autograd::check_overwritten("eq_", input);
  if (autograd::are_transformed(input, other)) {
    const TensorBase original = GradMode::is_enabled() ? ops::clone(input, at) : input;
    return autograd::assign_result(
        "eq_", input, ops::eq(original, autograd::instead(other, input, original), at), at);
  }
  autograd::before_write(input);
  dispatch::eq_(input, other);
  autograd::note_write(input, "eq_()", at);
  thread_state.site = CallSite::none();
}

void eq_out(const TensorBase& input, const Operand& other, const TensorBase& out, CallSite at) {
  autograd::run_out("eq", "eq()", out, at, [&] { dispatch::eq_out(input, other, out); }, input,
                    other);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/eq.h
// eq: dispatch to kernels, without recording. Generated from ops/compare.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase eq(const TensorBase& input, const Operand& other);
void eq_(const TensorBase& input, const Operand& other);
void eq_out(const TensorBase& input, const Operand& other, const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/compare_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/eq.h>
#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu::avx2 {
extern const PointwiseKernels eq_kernels;
}  // namespace eagre::kernels::cpu::avx2

namespace eagre::kernels::cpu::avx512 {
extern const PointwiseKernels eq_kernels;
}  // namespace eagre::kernels::cpu::avx512

namespace eagre::kernels::cpu::baseline {
extern const PointwiseKernels eq_kernels;
}  // namespace eagre::kernels::cpu::baseline

namespace eagre::dispatch {

// ---- ops/compare.yaml:3 ----
constinit PointwiseOp eq_op{
    .entry = {.name = "eq",
              .signature = "eq(Tensor,Tensor|Scalar)->Tensor",
              .public_name = "eq",
              .dtypes = dtypes::kAll,
              .native = {kUInt8, kUInt64},
              .cpu = {baseline::eq_kernels, avx2::eq_kernels, avx512::eq_kernels}},
    .compute = ComputeRule::kPromote,
    .result = ResultRule::kBool,
    .input_names = {"input", "other"}};
TensorBase eq(const TensorBase& input, const Operand& other) {
  return binary_bool(eq_op, input, other);
}
void eq_(const TensorBase& input, const Operand& other) { binary_inplace(eq_op, input, other); }
void eq_out(const TensorBase& input, const Operand& other, const TensorBase& out) {
  const Operand operands[] = {input, other};
  pointwise_out(eq_op, {operands, 2}, nullptr, {}, out);
}

}  // namespace eagre::dispatch

// ======== kernels/isa/eq.cpp
// Loops of the pointwise kernel 'eq'. Generated from ops/compare.yaml:3; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/kernel_table.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/compare.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {
template <class T>
void eq_loop(char* const* data, const int64_t* strides, int64_t n, const void*) {
  binary_loop<bool, T, T>(data, strides, n, [](T a, T b) { return scalar::eq(a, b); });
}
}  // namespace

extern constinit const PointwiseKernels eq_kernels =
    PointwiseKernels::each<bool, uint8_t, int32_t, int64_t, uint64_t, float, double, Complex<float>,
                           Complex<double>>([]<class T>() ->
                                            PointwiseKernels::Always<T>* { return &eq_loop<T>; });
}  // namespace eagre::kernels::cpu::EAGRE_ISA

// ======== python/compare_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/eq.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/compare.yaml:3 ----
namespace {
namespace eq_op {
constexpr Parameter kParameters[] = {
    {.name = "input", .aliases = "x a x1", .kind = ParameterKind::kTensor},
    {.name = "other", .aliases = "y x2", .kind = ParameterKind::kOperand},
    kOutParameter,
};
constexpr Signature kFunction{.op = "eq", .parameters = {kParameters, 3}, .positional = 2};
constexpr Signature kMethod{.op = "eq", .parameters = {kParameters, 2}, .positional = 2};
constexpr Signature kInplace{.op = "eq_", .parameters = {kParameters, 2}, .positional = 2};

template <Form kForm>
PyObject* run(const Arguments& a) {
  if (kForm == Form::kNew && a.has(2)) return run<Form::kOut>(a);
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  if constexpr (kForm == Form::kNew) {
    return run_and_wrap([&](CallSite at) { return ops::eq(input, other, at); }, input, other);
  } else if constexpr (kForm == Form::kInplace) {
    return call_inplace_op(a[0], [&](CallSite at) { ops::eq_(input, other, at); }, input, other);
  } else {
    const TensorVector targets = a.out(2, 1);
    return call_inplace_op(a[2], [&](CallSite at) { ops::eq_out(input, other, targets[0], at); },
                           input, other);
  }
}
}  // namespace eq_op
}  // namespace

PyObject* eq_slot(PyObject* a, PyObject* b) {
  return operand_slot(
      "eq", {"__eq__", "eq"}, a, b,
      [](const TensorBase& x, const Operand& y, CallSite at) { return ops::eq(x, y, at); },
      [](const TensorBase& x, const Operand& y, CallSite at) { return ops::eq(x, y, at); });
}

extern const PyMethodDef compare_0_functions[] = {
    op_function<eq_op::kFunction, eq_op::run<Form::kNew>>(
        "eq", "eq(input, other, *, out=None)\n--\n\nTrue where `input` equals `other`.\n\n>>> eagre.tensor([1, 2]) == 2\ntensor([False,  True])"),
    {}};

extern const PyMethodDef compare_0_methods[] = {
    op_method<eq_op::kMethod, eq_op::run<Form::kNew>>(
        "eq", "eq($self, other)\n--\n\nTrue where `input` equals `other`.\n\n>>> eagre.tensor([1, 2]) == 2\ntensor([False,  True])"),
    op_method<eq_op::kInplace, eq_op::run<Form::kInplace>>(
        "eq_", "eq_($self, other)\n--\n\n`eq()`, written into this tensor: `input` is the tensor itself.\n\nTrue where `input` equals `other`."),
    {}};

}  // namespace eagre::python
