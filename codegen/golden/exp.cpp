// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/exp.h
// exp: dispatch, and recording of the gradient. Generated from ops/unary.yaml:81; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase exp(const TensorBase& input, CallSite at);
EAGRE_API void exp_(const TensorBase& input, CallSite at);
EAGRE_API void exp_out(const TensorBase& input, const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== autograd/unary_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/conjugate.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/exp.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/exp.h>
#include <eagre/dispatch/ops/exp.h>

// ---- ops/unary.yaml:81 ----
namespace eagre::ops {

namespace {

class ExpNode final : public autograd::Node {
 public:
  ExpNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}

  std::string_view name() const override { return "ExpBackward0"; }
  void apply(autograd::BackwardCall& call) override;
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("result", result_);
  }

  autograd::SavedTensor result_;
};

void ExpNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    result_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase result;
  if (call.wants(0)) {
    result = result_.read(*this, call, "result");
    autograd::conjugate(result, at);
  } else {
    result_.skip(call);
  }
  if (call.wants(0)) call.set(0, ops::mul(g, result, at));
}

}  // namespace

namespace {
EAGRE_COLD TensorBase exp_transformed(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::exp(input, at);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<ExpNode>::adopt(new ExpNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->result_.save_output(result);
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  autograd::jvp::exp(result, input, at);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase exp_plainly(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::exp(input);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<ExpNode>::adopt(new ExpNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->result_.save_output(result);
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase exp(const TensorBase& input, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return exp_transformed(input, at);
  return exp_plainly(input, at);
}

void exp_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  if (autograd::are_transformed(input)) {
    const TensorBase original = GradMode::is_enabled() ? ops::clone(input, at) : input;
    return autograd::assign_result("exp_", input, ops::exp(original, at), at);
  }
  IntrusivePtr<ExpNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("exp_", input);
    node = IntrusivePtr<ExpNode>::adopt(new ExpNode(1, at.intern()));
    autograd::connect(*node, 0, input);
  }
  autograd::before_write(input);
  dispatch::exp_(input);
  autograd::note_write(input, "exp_()", at);
  if (node) {
    autograd::rebase_history(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
    if (node->has_edge(0)) node->result_.save_output(input);
  }
  thread_state.site = CallSite::none();
}

void exp_out(const TensorBase& input, const TensorBase& out, CallSite at) {
  thread_state.site = at;
  autograd::check_out("exp", input, out);
  autograd::before_write(out);
  dispatch::exp_out(input, out);
  autograd::note_write(out, "exp()", at);
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/exp.h
// exp: dispatch to kernels, without recording. Generated from ops/unary.yaml:81; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase exp(const TensorBase& input);
void exp_(const TensorBase& input);
void exp_out(const TensorBase& input, const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/unary_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/exp.h>
#include <eagre/dispatch/pointwise.h>

// ---- ops/unary.yaml:81 ----
namespace eagre::kernels::cpu {
namespace baseline {
void exp_f32(char* const*, const int64_t*, int64_t, const void*);
void exp_f64(char* const*, const int64_t*, int64_t, const void*);
void exp_c64(char* const*, const int64_t*, int64_t, const void*);
void exp_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void exp_f32(char* const*, const int64_t*, int64_t, const void*);
void exp_f64(char* const*, const int64_t*, int64_t, const void*);
void exp_c64(char* const*, const int64_t*, int64_t, const void*);
void exp_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void exp_f32(char* const*, const int64_t*, int64_t, const void*);
void exp_f64(char* const*, const int64_t*, int64_t, const void*);
void exp_c64(char* const*, const int64_t*, int64_t, const void*);
void exp_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace exp_op {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::exp_f32,
     &kernels::cpu::baseline::exp_f32,
     &kernels::cpu::baseline::exp_f32,
     &kernels::cpu::baseline::exp_f64,
     &kernels::cpu::baseline::exp_c64,
     &kernels::cpu::baseline::exp_c128},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::exp_f32,
     &kernels::cpu::baseline::exp_f64,
     &kernels::cpu::baseline::exp_c64,
     &kernels::cpu::baseline::exp_c128}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::exp_f32,
     &kernels::cpu::avx2::exp_f32,
     &kernels::cpu::avx2::exp_f32,
     &kernels::cpu::avx2::exp_f64,
     &kernels::cpu::avx2::exp_c64,
     &kernels::cpu::avx2::exp_c128},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::exp_f32,
     &kernels::cpu::avx2::exp_f64,
     &kernels::cpu::avx2::exp_c64,
     &kernels::cpu::avx2::exp_c128}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::exp_f32,
     &kernels::cpu::avx512::exp_f32,
     &kernels::cpu::avx512::exp_f32,
     &kernels::cpu::avx512::exp_f64,
     &kernels::cpu::avx512::exp_c64,
     &kernels::cpu::avx512::exp_c128},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::exp_f32,
     &kernels::cpu::avx512::exp_f64,
     &kernels::cpu::avx512::exp_c64,
     &kernels::cpu::avx512::exp_c128}};
constinit PointwiseOp op{{"exp", "exp(Tensor)->Tensor", "exp", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, ResultRule::kCompute, 0x0, 0, 0, {"input"}, {}};
}  // namespace
}  // namespace exp_op

OpEntry& exp_entry = exp_op::op.entry;

TensorBase exp(const TensorBase& input) {
  using namespace exp_op;
  return unary(op, input);
}

void exp_(const TensorBase& input) {
  using namespace exp_op;
  unary_inplace(op, input);
}

void exp_out(const TensorBase& input, const TensorBase& out) {
  using namespace exp_op;
  const Operand operands[] = {input};
  pointwise_out(op, {operands, 1}, nullptr, {}, out);
}

}  // namespace eagre::dispatch

// ======== kernels/levels/exp.cpp
// Loops of the pointwise kernel 'exp'. Generated from ops/unary.yaml:81; do not edit.
#include <eagre/core/complex.h>
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/exp.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T, T>(data, strides, n, [](T a) {
    return scalar::exp(a);
  });
}

}  // namespace

void exp_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void exp_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}
void exp_c64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<float>>(data, strides, n, attributes);
}
void exp_c128(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<double>>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL

// ======== python/unary_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/exp.h>

#include "op_call.h"

// ---- ops/unary.yaml:81 ----
namespace eagre::python {
namespace {

namespace exp_op {

constexpr Parameter kParameters[] = {
    {"input", "x", true, ParameterKind::kTensor, false},
    {"out", nullptr, false, ParameterKind::kAny, true},
};

constexpr Signature kFunction{"exp", {kParameters, 2}, 1, -1};
constexpr Signature kMethod{"exp", {kParameters, 1}, 1, -1};
constexpr Signature kInplace{"exp_", {kParameters, 1}, 1, -1};

PyObject* run_out(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const TensorVector targets = a.out(1, 1);
  return call_inplace_op(
      a[1], [&](CallSite at) { ops::exp_out(input, targets[0], at); }, input);
}

PyObject* run(const Arguments& a) {
  if (a.has(1)) return run_out(a);
  const TensorBase& input = a.tensor(0);
  return call_op([&](CallSite at) { return ops::exp(input, at); }, input);
}

PyObject* run_inplace(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  return call_inplace_op(
      a[0], [&](CallSite at) { ops::exp_(input, at); }, input);
}

}  // namespace exp_op

}  // namespace

PyObject* exp_function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(nullptr, args, count, names)) [[unlikely]]
    return override_function("exp", args, count, names);
  return guarded([&] { return exp_op::run(Arguments(exp_op::kFunction, nullptr, args, count, names)); });
}

PyObject* exp_method(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("exp", self, args, count, names);
  return guarded([&] { return exp_op::run(Arguments(exp_op::kMethod, self, args, count, names)); });
}

PyObject* exp_inplace(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("exp_", self, args, count, names);
  return guarded([&] { return exp_op::run_inplace(Arguments(exp_op::kInplace, self, args, count, names)); });
}

}  // namespace eagre::python
