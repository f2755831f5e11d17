// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/exp.h
// exp: dispatch, and recording of the gradient. Generated from ops/elementary.yaml:154; do not
// edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase exp(const TensorBase& input, CallSite at);
EAGRE_API void exp_(const TensorBase& input, CallSite at);
EAGRE_API void exp_out(const TensorBase& input, const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== ops/elementary_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/conjugate.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/exp.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/exp.h>
#include <eagre/ops/mul.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/elementary.yaml:154 ----
namespace {
class ExpNode final : public autograd::Node {
 public:
  ExpNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}
  std::string name() const override { return "ExpBackward0"; }
  void visit_saved(autograd::SavedVisitor& visitor) override { visitor.see("result", result_); }
  void apply(autograd::BackwardCall& call) override {
    TensorBase& g = call.grad(0);
    if (!g.defined()) return autograd::skip(call, result_);
    const CallSite at = CallSite::of_id(site());
    TensorBase result = autograd::read_if(call.wants(0), result_, *this, call, "result");
    autograd::conjugate(result, at);
    if (call.wants(0)) call.set(0, ops::mul(g, result, at));
  }
  autograd::SavedTensor result_;
};

TensorBase exp_batched(const TensorBase& input, CallSite at) {
  Level* const level = TransformedInputs(input).batch_level();
  if (level == nullptr) return dispatch::exp(input);
  const BatchCall call("exp", level, at);
  return call.result(ops::exp(call.first(input), at));
}

void exp_tangents(const TensorBase& result, const TensorBase& input, CallSite at) {
  const TransformedInputs arguments(input);
  for_dual_levels(arguments, [&](Level& level) {
    TensorBase sum;
    if (const TensorBase input_t = tangent_of(input, level); input_t.defined()) {
      add_tangent(sum, ops::mul(input_t, result, at), at);
    }
    give_tangent(result, arguments, level, std::move(sum), at);
  });
}

template <bool kTransformed>
EAGRE_INLINE TensorBase exp_recorded(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = kTransformed ? exp_batched(input, at) : dispatch::exp(input);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<ExpNode>::adopt(new ExpNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->result_.save_output(result);
    autograd::Node::set_history_of_new(std::move(node), *result.impl());
  }
  if constexpr (kTransformed) exp_tangents(result, input, at);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase exp_transformed(const TensorBase& input, CallSite at) {
  return exp_recorded<true>(input, at);
}
}  // namespace

TensorBase exp(const TensorBase& input, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return exp_transformed(input, at);
  return exp_recorded<false>(input, at);
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
  autograd::run_out("exp", "exp()", out, at, [&] { dispatch::exp_out(input, out); }, input);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/exp.h
// exp: dispatch to kernels, without recording. Generated from ops/elementary.yaml:154; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase exp(const TensorBase& input);
void exp_(const TensorBase& input);
void exp_out(const TensorBase& input, const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/elementary_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/exp.h>
#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu::avx2 {
extern const PointwiseKernels exp_kernels;
}  // namespace eagre::kernels::cpu::avx2

namespace eagre::kernels::cpu::avx512 {
extern const PointwiseKernels exp_kernels;
}  // namespace eagre::kernels::cpu::avx512

namespace eagre::kernels::cpu::baseline {
extern const PointwiseKernels exp_kernels;
}  // namespace eagre::kernels::cpu::baseline

namespace eagre::dispatch {

// ---- ops/elementary.yaml:154 ----
constinit PointwiseOp exp_op{
    .entry = {.name = "exp",
              .signature = "exp(Tensor)->Tensor",
              .public_name = "exp",
              .dtypes = dtypes::kFloats | dtypes::kComplex,
              .cpu = {baseline::exp_kernels, avx2::exp_kernels, avx512::exp_kernels}},
    .compute = ComputeRule::kPromoteFloat,
    .result = ResultRule::kCompute,
    .input_names = {"input"}};
TensorBase exp(const TensorBase& input) { return unary(exp_op, input); }
void exp_(const TensorBase& input) { unary_inplace(exp_op, input); }
void exp_out(const TensorBase& input, const TensorBase& out) {
  const Operand operands[] = {input};
  pointwise_out(exp_op, {operands, 1}, nullptr, {}, out);
}

}  // namespace eagre::dispatch

// ======== kernels/isa/exp.cpp
// Loops of the pointwise kernel 'exp'. Generated from ops/elementary.yaml:154; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/kernel_table.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/exp.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {
template <class T>
void exp_loop(char* const* data, const int64_t* strides, int64_t n, const void*) {
  unary_loop<T, T>(data, strides, n, [](T a) { return scalar::exp(a); });
}
}  // namespace

extern constinit const PointwiseKernels exp_kernels =
    PointwiseKernels::each<float, double, Complex<float>, Complex<double>>(
        []<class T>() -> PointwiseKernels::Always<T>* { return &exp_loop<T>; });
}  // namespace eagre::kernels::cpu::EAGRE_ISA

// ======== python/elementary_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/exp.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/elementary.yaml:154 ----
namespace {
namespace exp_op {
constexpr Parameter kParameters[] = {
    {.name = "input", .aliases = "x a x1", .kind = ParameterKind::kTensor},
    kOutParameter,
};
constexpr Signature kFunction{.op = "exp", .parameters = {kParameters, 2}, .positional = 1};
constexpr Signature kMethod{.op = "exp", .parameters = {kParameters, 1}, .positional = 1};
constexpr Signature kInplace{.op = "exp_", .parameters = {kParameters, 1}, .positional = 1};
constexpr Signature kWritten{.op = "exp_", .parameters = {kParameters, 1}, .positional = 1,
                             .exposed = "exp_"};

template <Form kForm>
PyObject* run(const Arguments& a) {
  if (kForm == Form::kNew && a.has(1)) return run<Form::kOut>(a);
  const TensorBase& input = a.tensor(0);
  if constexpr (kForm == Form::kNew) {
    return run_and_wrap([&](CallSite at) { return ops::exp(input, at); }, input);
  } else if constexpr (kForm == Form::kInplace) {
    return call_inplace_op(a[0], [&](CallSite at) { ops::exp_(input, at); }, input);
  } else {
    const TensorVector targets = a.out(1, 1);
    return call_inplace_op(a[1], [&](CallSite at) { ops::exp_out(input, targets[0], at); }, input);
  }
}
}  // namespace exp_op
}  // namespace

extern const PyMethodDef elementary_0_functions[] = {
    op_function<exp_op::kFunction, exp_op::run<Form::kNew>>(
        "exp", "exp(input, *, out=None)\n--\n\nThe exponential function of each element. Integers are computed as the default floating type.\n\n>>> eagre.exp(eagre.tensor([0., 1.]))\ntensor([1.0000, 2.7183])"),
    op_function<exp_op::kWritten, exp_op::run<Form::kInplace>>(
        "exp_", "exp_(input)\n--\n\n`exp()`, written into `input` itself.\n\nThe exponential function of each element. Integers are computed as the default floating type."),
    {}};

extern const PyMethodDef elementary_0_methods[] = {
    op_method<exp_op::kMethod, exp_op::run<Form::kNew>>(
        "exp", "exp($self)\n--\n\nThe exponential function of each element. Integers are computed as the default floating type.\n\n>>> eagre.exp(eagre.tensor([0., 1.]))\ntensor([1.0000, 2.7183])"),
    op_method<exp_op::kInplace, exp_op::run<Form::kInplace>>(
        "exp_", "exp_($self)\n--\n\n`exp()`, written into this tensor: `input` is the tensor itself.\n\nThe exponential function of each element. Integers are computed as the default floating type."),
    {}};

}  // namespace eagre::python
