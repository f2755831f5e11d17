// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/eq.h
// eq: dispatch, and recording of the gradient. Generated from ops/compare.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase eq(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void eq_(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void eq_out(const TensorBase& input, const Operand& other, const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== autograd/compare_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/eq.h>
#include <eagre/dispatch/ops/eq.h>

// ---- ops/compare.yaml:3 ----
namespace eagre::ops {

namespace {
EAGRE_COLD TensorBase eq_transformed(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::eq(input, other, at);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase eq_plainly(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::eq(input, other);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase eq(const TensorBase& input, const Operand& other, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return eq_transformed(input, other, at);
  return eq_plainly(input, other, at);
}

void eq_(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  autograd::check_overwritten("eq_", input);
  if (autograd::are_transformed(input, other)) {
    const TensorBase original = GradMode::is_enabled() ? ops::clone(input, at) : input;
    return autograd::assign_result("eq_", input, ops::eq(original, autograd::is_same(other, input) ? Operand(original) : other, at), at);
  }
  autograd::before_write(input);
  dispatch::eq_(input, other);
  autograd::note_write(input, "eq_()", at);
  thread_state.site = CallSite::none();
}

void eq_out(const TensorBase& input, const Operand& other, const TensorBase& out, CallSite at) {
  thread_state.site = at;
  autograd::check_out("eq", input, other, out);
  autograd::before_write(out);
  dispatch::eq_out(input, other, out);
  autograd::note_write(out, "eq()", at);
  thread_state.site = CallSite::none();
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

// ---- ops/compare.yaml:3 ----
namespace eagre::kernels::cpu {
namespace baseline {
void eq_bool(char* const*, const int64_t*, int64_t, const void*);
void eq_u8(char* const*, const int64_t*, int64_t, const void*);
void eq_i32(char* const*, const int64_t*, int64_t, const void*);
void eq_i64(char* const*, const int64_t*, int64_t, const void*);
void eq_u64(char* const*, const int64_t*, int64_t, const void*);
void eq_f32(char* const*, const int64_t*, int64_t, const void*);
void eq_f64(char* const*, const int64_t*, int64_t, const void*);
void eq_c64(char* const*, const int64_t*, int64_t, const void*);
void eq_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void eq_bool(char* const*, const int64_t*, int64_t, const void*);
void eq_u8(char* const*, const int64_t*, int64_t, const void*);
void eq_i32(char* const*, const int64_t*, int64_t, const void*);
void eq_i64(char* const*, const int64_t*, int64_t, const void*);
void eq_u64(char* const*, const int64_t*, int64_t, const void*);
void eq_f32(char* const*, const int64_t*, int64_t, const void*);
void eq_f64(char* const*, const int64_t*, int64_t, const void*);
void eq_c64(char* const*, const int64_t*, int64_t, const void*);
void eq_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void eq_bool(char* const*, const int64_t*, int64_t, const void*);
void eq_u8(char* const*, const int64_t*, int64_t, const void*);
void eq_i32(char* const*, const int64_t*, int64_t, const void*);
void eq_i64(char* const*, const int64_t*, int64_t, const void*);
void eq_u64(char* const*, const int64_t*, int64_t, const void*);
void eq_f32(char* const*, const int64_t*, int64_t, const void*);
void eq_f64(char* const*, const int64_t*, int64_t, const void*);
void eq_c64(char* const*, const int64_t*, int64_t, const void*);
void eq_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace eq_op {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {&kernels::cpu::baseline::eq_bool,
     &kernels::cpu::baseline::eq_u8,
     &kernels::cpu::baseline::eq_i32,
     &kernels::cpu::baseline::eq_i32,
     &kernels::cpu::baseline::eq_i32,
     &kernels::cpu::baseline::eq_i64,
     &kernels::cpu::baseline::eq_i32,
     &kernels::cpu::baseline::eq_i64,
     &kernels::cpu::baseline::eq_u64,
     &kernels::cpu::baseline::eq_f32,
     &kernels::cpu::baseline::eq_f32,
     &kernels::cpu::baseline::eq_f32,
     &kernels::cpu::baseline::eq_f64,
     &kernels::cpu::baseline::eq_c64,
     &kernels::cpu::baseline::eq_c128},
    {&kernels::cpu::baseline::eq_bool,
     &kernels::cpu::baseline::eq_u8,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::eq_i32,
     &kernels::cpu::baseline::eq_i64,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::eq_u64,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::eq_f32,
     &kernels::cpu::baseline::eq_f64,
     &kernels::cpu::baseline::eq_c64,
     &kernels::cpu::baseline::eq_c128}};
constexpr TypedRow<Function> kAvx2{
    {&kernels::cpu::avx2::eq_bool,
     &kernels::cpu::avx2::eq_u8,
     &kernels::cpu::avx2::eq_i32,
     &kernels::cpu::avx2::eq_i32,
     &kernels::cpu::avx2::eq_i32,
     &kernels::cpu::avx2::eq_i64,
     &kernels::cpu::avx2::eq_i32,
     &kernels::cpu::avx2::eq_i64,
     &kernels::cpu::avx2::eq_u64,
     &kernels::cpu::avx2::eq_f32,
     &kernels::cpu::avx2::eq_f32,
     &kernels::cpu::avx2::eq_f32,
     &kernels::cpu::avx2::eq_f64,
     &kernels::cpu::avx2::eq_c64,
     &kernels::cpu::avx2::eq_c128},
    {&kernels::cpu::avx2::eq_bool,
     &kernels::cpu::avx2::eq_u8,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::eq_i32,
     &kernels::cpu::avx2::eq_i64,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::eq_u64,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::eq_f32,
     &kernels::cpu::avx2::eq_f64,
     &kernels::cpu::avx2::eq_c64,
     &kernels::cpu::avx2::eq_c128}};
constexpr TypedRow<Function> kAvx512{
    {&kernels::cpu::avx512::eq_bool,
     &kernels::cpu::avx512::eq_u8,
     &kernels::cpu::avx512::eq_i32,
     &kernels::cpu::avx512::eq_i32,
     &kernels::cpu::avx512::eq_i32,
     &kernels::cpu::avx512::eq_i64,
     &kernels::cpu::avx512::eq_i32,
     &kernels::cpu::avx512::eq_i64,
     &kernels::cpu::avx512::eq_u64,
     &kernels::cpu::avx512::eq_f32,
     &kernels::cpu::avx512::eq_f32,
     &kernels::cpu::avx512::eq_f32,
     &kernels::cpu::avx512::eq_f64,
     &kernels::cpu::avx512::eq_c64,
     &kernels::cpu::avx512::eq_c128},
    {&kernels::cpu::avx512::eq_bool,
     &kernels::cpu::avx512::eq_u8,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::eq_i32,
     &kernels::cpu::avx512::eq_i64,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::eq_u64,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::eq_f32,
     &kernels::cpu::avx512::eq_f64,
     &kernels::cpu::avx512::eq_c64,
     &kernels::cpu::avx512::eq_c128}};
constinit PointwiseOp op{{"eq", "eq(Tensor,Tensor|Scalar)->Tensor", "eq", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, ResultRule::kBool, 0x102, 0, 0, {"input", "other"}, {}};
}  // namespace
}  // namespace eq_op

OpEntry& eq_entry = eq_op::op.entry;

TensorBase eq(const TensorBase& input, const Operand& other) {
  using namespace eq_op;
  return binary_bool(op, input, other);
}

void eq_(const TensorBase& input, const Operand& other) {
  using namespace eq_op;
  binary_inplace(op, input, other);
}

void eq_out(const TensorBase& input, const Operand& other, const TensorBase& out) {
  using namespace eq_op;
  const Operand operands[] = {input, other};
  pointwise_out(op, {operands, 2}, nullptr, {}, out);
}

}  // namespace eagre::dispatch

// ======== kernels/levels/eq.cpp
// Loops of the pointwise kernel 'eq'. Generated from ops/compare.yaml:3; do not edit.
#include <eagre/core/complex.h>
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/eq.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  binary_loop<bool, T, T>(data, strides, n, [](T a, T b) {
    return scalar::eq(a, b);
  });
}

}  // namespace

void eq_bool(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<bool>(data, strides, n, attributes);
}
void eq_u8(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<uint8_t>(data, strides, n, attributes);
}
void eq_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void eq_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void eq_u64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<uint64_t>(data, strides, n, attributes);
}
void eq_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void eq_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}
void eq_c64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<float>>(data, strides, n, attributes);
}
void eq_c128(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<double>>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL

// ======== python/compare_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/eq.h>

#include "op_call.h"

// ---- ops/compare.yaml:3 ----
namespace eagre::python {
namespace {

namespace eq_op {

constexpr Parameter kParameters[] = {
    {"input", "x", true, ParameterKind::kTensor, false},
    {"other", "y", true, ParameterKind::kOperand, false},
    {"out", nullptr, false, ParameterKind::kAny, true},
};

constexpr Signature kFunction{"eq", {kParameters, 3}, 2, -1};
constexpr Signature kMethod{"eq", {kParameters, 2}, 2, -1};
constexpr Signature kInplace{"eq_", {kParameters, 2}, 2, -1};

PyObject* run_out(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  const TensorVector targets = a.out(2, 1);
  return call_inplace_op(
      a[2], [&](CallSite at) { ops::eq_out(input, other, targets[0], at); }, input, other);
}

PyObject* run(const Arguments& a) {
  if (a.has(2)) return run_out(a);
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  return call_op([&](CallSite at) { return ops::eq(input, other, at); }, input, other);
}

PyObject* run_inplace(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  return call_inplace_op(
      a[0], [&](CallSite at) { ops::eq_(input, other, at); }, input, other);
}

}  // namespace eq_op

}  // namespace

PyObject* eq_slot(PyObject* a, PyObject* b) {
  return operand_slot("eq", {"__eq__", "eq"}, a, b, [](const TensorBase& x, const Operand& y, CallSite at) {
    return ops::eq(x, y, at);
  }, [](const TensorBase& x, const Operand& y, CallSite at) {
    return ops::eq(x, y, at);
  });
}

PyObject* eq_function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(nullptr, args, count, names)) [[unlikely]]
    return override_function("eq", args, count, names);
  return guarded([&] { return eq_op::run(Arguments(eq_op::kFunction, nullptr, args, count, names)); });
}

PyObject* eq_method(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("eq", self, args, count, names);
  return guarded([&] { return eq_op::run(Arguments(eq_op::kMethod, self, args, count, names)); });
}

PyObject* eq_inplace(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("eq_", self, args, count, names);
  return guarded([&] { return eq_op::run_inplace(Arguments(eq_op::kInplace, self, args, count, names)); });
}

}  // namespace eagre::python
