// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/mul.h
// mul: dispatch, and recording of the gradient. Generated from ops/binary.yaml:25; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase mul(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void mul_(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void mul_out(const TensorBase& input, const Operand& other, const TensorBase& out, CallSite at);
// May write over a temporary first argument.
EAGRE_API TensorBase mul(TensorBase&& input, const Operand& other, CallSite at);

}  // namespace eagre::ops

// ======== autograd/binary_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/conjugate.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/mul.h>
#include <eagre/dispatch/ops/mul.h>

// ---- ops/binary.yaml:25 ----
namespace eagre::ops {

namespace {
EAGRE_INLINE TensorBase mul_reusing(TensorBase&& input, const Operand& other, CallSite at) {
  if (!GradMode::is_enabled() && !autograd::transforms_active()) {
    thread_state.site = at;
    if (dispatch::mul_reusing(input, other)) return std::move(input);
  }
  return mul(std::as_const(input), other, at);
}
}  // namespace

namespace {

class MulNode final : public autograd::Node {
 public:
  MulNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}

  std::string_view name() const override { return "MulBackward0"; }
  void apply(autograd::BackwardCall& call) override;
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("other", other_);
    visitor.see("self", input_);
  }

  autograd::SavedOperand other_;
  autograd::SavedTensor input_;
};

void MulNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    other_.skip(call);
    input_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase other_tensor;
  Operand other = 0;
  if (call.wants(0)) {
    other = other_.read(*this, call, "other", other_tensor);
    autograd::conjugate(other, other_tensor, at);
  } else {
    other_.skip(call);
  }
  TensorBase input;
  if (call.wants(1)) {
    input = input_.read(*this, call, "input");
    autograd::conjugate(input, at);
  } else {
    input_.skip(call);
  }
  if (call.wants(0)) {
    if (call.wants(1)) {
      call.set(0, ops::mul(g, other, at));
    } else {
      call.set(0, mul_reusing(std::move(g), other, at));
    }
  }
  if (call.wants(1)) call.set(1, mul_reusing(std::move(g), input, at));
}

}  // namespace

namespace {
EAGRE_COLD TensorBase mul_transformed(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::mul(input, other, at);
  if (autograd::should_record(input, other) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<MulNode>::adopt(new MulNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(other);
    if (node->has_edge(1)) node->input_.save_input(input);
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  autograd::jvp::mul(result, input, other, at);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase mul_plainly(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::mul(input, other);
  if (autograd::should_record(input, other) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<MulNode>::adopt(new MulNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(other);
    if (node->has_edge(1)) node->input_.save_input(input);
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase mul(const TensorBase& input, const Operand& other, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return mul_transformed(input, other, at);
  return mul_plainly(input, other, at);
}

void mul_(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  if (autograd::are_transformed(input, other)) {
    const TensorBase original = GradMode::is_enabled() ? ops::clone(input, at) : input;
    return autograd::assign_result("mul_", input, ops::mul(original, autograd::is_same(other, input) ? Operand(original) : other, at), at);
  }
  IntrusivePtr<MulNode> node;
  if (autograd::should_record(input, other)) {
    autograd::check_inplace("mul_", input);
    TensorBase original;
    if (autograd::needs_grad(other) || autograd::is_same(other, input)) original = ops::clone(input, at);
    node = IntrusivePtr<MulNode>::adopt(new MulNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(autograd::is_same(other, input) ? Operand(original) : other);
    if (node->has_edge(1)) node->input_.save_input(original);
  }
  autograd::before_write(input);
  dispatch::mul_(input, other);
  autograd::note_write(input, "mul_()", at);
  if (node) {
    autograd::rebase_history(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

void mul_out(const TensorBase& input, const Operand& other, const TensorBase& out, CallSite at) {
  thread_state.site = at;
  autograd::check_out("mul", input, other, out);
  autograd::before_write(out);
  dispatch::mul_out(input, other, out);
  autograd::note_write(out, "mul()", at);
  thread_state.site = CallSite::none();
}

TensorBase mul(TensorBase&& input, const Operand& other, CallSite at) {
  return mul_reusing(std::move(input), other, at);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/mul.h
// mul: dispatch to kernels, without recording. Generated from ops/binary.yaml:25; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase mul(const TensorBase& input, const Operand& other);
void mul_(const TensorBase& input, const Operand& other);
void mul_out(const TensorBase& input, const Operand& other, const TensorBase& out);
bool mul_reusing(const TensorBase& input, const Operand& other);

}  // namespace eagre::dispatch

// ======== dispatch/binary_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/mul.h>
#include <eagre/dispatch/pointwise.h>

// ---- ops/binary.yaml:25 ----
namespace eagre::kernels::cpu {
namespace baseline {
void mul_bool(char* const*, const int64_t*, int64_t, const void*);
void mul_i32(char* const*, const int64_t*, int64_t, const void*);
void mul_i64(char* const*, const int64_t*, int64_t, const void*);
void mul_f32(char* const*, const int64_t*, int64_t, const void*);
void mul_f64(char* const*, const int64_t*, int64_t, const void*);
void mul_c64(char* const*, const int64_t*, int64_t, const void*);
void mul_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void mul_bool(char* const*, const int64_t*, int64_t, const void*);
void mul_i32(char* const*, const int64_t*, int64_t, const void*);
void mul_i64(char* const*, const int64_t*, int64_t, const void*);
void mul_f32(char* const*, const int64_t*, int64_t, const void*);
void mul_f64(char* const*, const int64_t*, int64_t, const void*);
void mul_c64(char* const*, const int64_t*, int64_t, const void*);
void mul_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void mul_bool(char* const*, const int64_t*, int64_t, const void*);
void mul_i32(char* const*, const int64_t*, int64_t, const void*);
void mul_i64(char* const*, const int64_t*, int64_t, const void*);
void mul_f32(char* const*, const int64_t*, int64_t, const void*);
void mul_f64(char* const*, const int64_t*, int64_t, const void*);
void mul_c64(char* const*, const int64_t*, int64_t, const void*);
void mul_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace mul_op {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {&kernels::cpu::baseline::mul_bool,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i64,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i64,
     &kernels::cpu::baseline::mul_i64,
     &kernels::cpu::baseline::mul_f32,
     &kernels::cpu::baseline::mul_f32,
     &kernels::cpu::baseline::mul_f32,
     &kernels::cpu::baseline::mul_f64,
     &kernels::cpu::baseline::mul_c64,
     &kernels::cpu::baseline::mul_c128},
    {&kernels::cpu::baseline::mul_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::mul_f32,
     &kernels::cpu::baseline::mul_f64,
     &kernels::cpu::baseline::mul_c64,
     &kernels::cpu::baseline::mul_c128}};
constexpr TypedRow<Function> kAvx2{
    {&kernels::cpu::avx2::mul_bool,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i64,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i64,
     &kernels::cpu::avx2::mul_i64,
     &kernels::cpu::avx2::mul_f32,
     &kernels::cpu::avx2::mul_f32,
     &kernels::cpu::avx2::mul_f32,
     &kernels::cpu::avx2::mul_f64,
     &kernels::cpu::avx2::mul_c64,
     &kernels::cpu::avx2::mul_c128},
    {&kernels::cpu::avx2::mul_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::mul_f32,
     &kernels::cpu::avx2::mul_f64,
     &kernels::cpu::avx2::mul_c64,
     &kernels::cpu::avx2::mul_c128}};
constexpr TypedRow<Function> kAvx512{
    {&kernels::cpu::avx512::mul_bool,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i64,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i64,
     &kernels::cpu::avx512::mul_i64,
     &kernels::cpu::avx512::mul_f32,
     &kernels::cpu::avx512::mul_f32,
     &kernels::cpu::avx512::mul_f32,
     &kernels::cpu::avx512::mul_f64,
     &kernels::cpu::avx512::mul_c64,
     &kernels::cpu::avx512::mul_c128},
    {&kernels::cpu::avx512::mul_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::mul_f32,
     &kernels::cpu::avx512::mul_f64,
     &kernels::cpu::avx512::mul_c64,
     &kernels::cpu::avx512::mul_c128}};
constinit PointwiseOp op{{"mul", "mul(Tensor,Tensor|Scalar)->Tensor", "mul", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, ResultRule::kCompute, 0x0, 0, 0, {"input", "other"}, {}};
}  // namespace
}  // namespace mul_op

OpEntry& mul_entry = mul_op::op.entry;

TensorBase mul(const TensorBase& input, const Operand& other) {
  using namespace mul_op;
  return binary(op, input, other);
}

void mul_(const TensorBase& input, const Operand& other) {
  using namespace mul_op;
  binary_inplace(op, input, other);
}

void mul_out(const TensorBase& input, const Operand& other, const TensorBase& out) {
  using namespace mul_op;
  const Operand operands[] = {input, other};
  pointwise_out(op, {operands, 2}, nullptr, {}, out);
}

bool mul_reusing(const TensorBase& input, const Operand& other) {
  using namespace mul_op;
  return binary_reusing(op, input, other);
}

}  // namespace eagre::dispatch

// ======== kernels/levels/mul.cpp
// Loops of the pointwise kernel 'mul'. Generated from ops/binary.yaml:25; do not edit.
#include <eagre/core/complex.h>
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/mul.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  binary_loop<T, T, T>(data, strides, n, [](T a, T b) {
    return scalar::mul(a, b);
  });
}

}  // namespace

void mul_bool(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<bool>(data, strides, n, attributes);
}
void mul_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void mul_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void mul_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void mul_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}
void mul_c64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<float>>(data, strides, n, attributes);
}
void mul_c128(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<double>>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL

// ======== python/binary_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/mul.h>

#include "op_call.h"

// ---- ops/binary.yaml:25 ----
namespace eagre::python {
namespace {

namespace mul_op {

constexpr Parameter kParameters[] = {
    {"input", "x", true, ParameterKind::kTensor, false},
    {"other", "y", true, ParameterKind::kOperand, false},
    {"out", nullptr, false, ParameterKind::kAny, true},
};

constexpr Signature kFunction{"mul", {kParameters, 3}, 2, -1};
constexpr Signature kMethod{"mul", {kParameters, 2}, 2, -1};
constexpr Signature kInplace{"mul_", {kParameters, 2}, 2, -1};

PyObject* run_out(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  const TensorVector targets = a.out(2, 1);
  return call_inplace_op(
      a[2], [&](CallSite at) { ops::mul_out(input, other, targets[0], at); }, input, other);
}

PyObject* run(const Arguments& a) {
  if (a.has(2)) return run_out(a);
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  return call_op([&](CallSite at) { return ops::mul(input, other, at); }, input, other);
}

PyObject* run_inplace(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  return call_inplace_op(
      a[0], [&](CallSite at) { ops::mul_(input, other, at); }, input, other);
}

}  // namespace mul_op

}  // namespace

PyObject* mul_slot(PyObject* a, PyObject* b) {
  return operand_slot("mul", {"mul", "mul"}, a, b, [](const TensorBase& x, const Operand& y, CallSite at) {
    return ops::mul(x, y, at);
  }, [](const TensorBase& x, const Operand& y, CallSite at) {
    return ops::mul(x, y, at);
  });
}

PyObject* mul_inplace_slot(PyObject* a, PyObject* b) {
  return inplace_slot("mul_", a, b, [](const TensorBase& x, const Operand& y, CallSite at) {
    ops::mul_(x, y, at);
  });
}

PyObject* mul_function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(nullptr, args, count, names)) [[unlikely]]
    return override_function("mul", args, count, names);
  if (is_number_first(args, count, names)) [[unlikely]]
    return mul_slot(args[0], args[1]);
  return guarded([&] { return mul_op::run(Arguments(mul_op::kFunction, nullptr, args, count, names)); });
}

PyObject* mul_method(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("mul", self, args, count, names);
  return guarded([&] { return mul_op::run(Arguments(mul_op::kMethod, self, args, count, names)); });
}

PyObject* mul_inplace(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("mul_", self, args, count, names);
  return guarded([&] { return mul_op::run_inplace(Arguments(mul_op::kInplace, self, args, count, names)); });
}

}  // namespace eagre::python
