// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/mul.h
// mul: dispatch, and recording of the gradient. Generated from ops/arithmetic.yaml:26; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase mul(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void mul_(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void mul_out(const TensorBase& input, const Operand& other, const TensorBase& out,
                       CallSite at);
// May write over a temporary first argument.
EAGRE_API TensorBase mul(TensorBase&& input, const Operand& other, CallSite at);

}  // namespace eagre::ops

// ======== ops/arithmetic_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/conjugate.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/mul.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/mul.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/arithmetic.yaml:26 ----
namespace {
EAGRE_INLINE TensorBase mul_reusing(TensorBase&& input, const Operand& other, CallSite at) {
  if (!GradMode::is_enabled() && !autograd::transforms_active()) {
    thread_state.site = at;
    if (dispatch::mul_reusing(input, other)) return std::move(input);
  }
  return mul(std::as_const(input), other, at);
}

class MulNode final : public autograd::Node {
 public:
  MulNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}
  std::string name() const override { return "MulBackward0"; }
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("other", other_);
    visitor.see("self", input_);
  }
  void apply(autograd::BackwardCall& call) override {
    TensorBase& g = call.grad(0);
    if (!g.defined()) return autograd::skip(call, other_, input_);
    const CallSite at = CallSite::of_id(site());
    TensorBase other_tensor;
    const Operand other =
        autograd::read_if(call.wants(0), other_, *this, call, "other", other_tensor);
    autograd::conjugate(other, other_tensor, at);
    TensorBase input = autograd::read_if(call.wants(1), input_, *this, call, "input");
    autograd::conjugate(input, at);
    if (call.wants(0))
      call.set(0, call.wants(1) ? ops::mul(g, other, at) : mul_reusing(std::move(g), other, at));
    if (call.wants(1)) call.set(1, mul_reusing(std::move(g), input, at));
  }
  autograd::SavedOperand other_;
  autograd::SavedTensor input_;
};

TensorBase mul_batched(const TensorBase& input, const Operand& other, CallSite at) {
  Level* const level = TransformedInputs(input, other).batch_level();
  if (level == nullptr) return dispatch::mul(input, other);
  BatchCall call("mul", level, at);
  call.align(input, other);
  call.promote(input, other);
  return call.result(ops::mul(call.aligned(input), call.aligned(other), at));
}

void mul_tangents(const TensorBase& result, const TensorBase& input, const Operand& other,
                  CallSite at) {
  const TransformedInputs arguments(input, other);
  for_dual_levels(arguments, [&](Level& level) {
    TensorBase sum;
    if (const TensorBase input_t = tangent_of(input, level); input_t.defined()) {
      add_tangent(sum, ops::mul(input_t, other, at), at);
    }
    if (const TensorBase other_t = tangent_of(other, level); other_t.defined()) {
      add_tangent(sum, ops::mul(other_t, input, at), at);
    }
    give_tangent(result, arguments, level, std::move(sum), at);
  });
}

template <bool kTransformed>
EAGRE_INLINE TensorBase mul_recorded(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = kTransformed ? mul_batched(input, other, at) : dispatch::mul(input, other);
  if (autograd::should_record(input, other) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<MulNode>::adopt(new MulNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(other);
    if (node->has_edge(1)) node->input_.save_input(input);
    autograd::Node::set_history_of_new(std::move(node), *result.impl());
  }
  if constexpr (kTransformed) mul_tangents(result, input, other, at);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase mul_transformed(const TensorBase& input, const Operand& other, CallSite at) {
  return mul_recorded<true>(input, other, at);
}
}  // namespace

TensorBase mul(const TensorBase& input, const Operand& other, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return mul_transformed(input, other, at);
  return mul_recorded<false>(input, other, at);
}

void mul_(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  if (autograd::are_transformed(input, other)) {
    const TensorBase original = GradMode::is_enabled() ? ops::clone(input, at) : input;
    return autograd::assign_result(
        "mul_", input, ops::mul(original, autograd::instead(other, input, original), at), at);
  }
  IntrusivePtr<MulNode> node;
  if (autograd::should_record(input, other)) {
    autograd::check_inplace("mul_", input);
    TensorBase original;
    if (autograd::needs_grad(other) || autograd::is_same(other, input))
      original = ops::clone(input, at);
    node = IntrusivePtr<MulNode>::adopt(new MulNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(autograd::instead(other, input, original));
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
  autograd::run_out("mul", "mul()", out, at, [&] { dispatch::mul_out(input, other, out); }, input,
                    other);
}

TensorBase mul(TensorBase&& input, const Operand& other, CallSite at) {
  return mul_reusing(std::move(input), other, at);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/mul.h
// mul: dispatch to kernels, without recording. Generated from ops/arithmetic.yaml:26; do not edit.
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

// ======== dispatch/arithmetic_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/mul.h>
#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu::avx2 {
extern const PointwiseKernels mul_kernels;
}  // namespace eagre::kernels::cpu::avx2

namespace eagre::kernels::cpu::avx512 {
extern const PointwiseKernels mul_kernels;
}  // namespace eagre::kernels::cpu::avx512

namespace eagre::kernels::cpu::baseline {
extern const PointwiseKernels mul_kernels;
}  // namespace eagre::kernels::cpu::baseline

namespace eagre::dispatch {

// ---- ops/arithmetic.yaml:26 ----
constinit PointwiseOp mul_op{
    .entry = {.name = "mul",
              .signature = "mul(Tensor,Tensor|Scalar)->Tensor",
              .public_name = "mul",
              .dtypes = dtypes::kAll,
              .cpu = {baseline::mul_kernels, avx2::mul_kernels, avx512::mul_kernels}},
    .compute = ComputeRule::kPromote,
    .result = ResultRule::kCompute,
    .wide_numbers = true,
    .input_names = {"input", "other"}};
TensorBase mul(const TensorBase& input, const Operand& other) {
  return binary(mul_op, input, other);
}
void mul_(const TensorBase& input, const Operand& other) { binary_inplace(mul_op, input, other); }
void mul_out(const TensorBase& input, const Operand& other, const TensorBase& out) {
  const Operand operands[] = {input, other};
  pointwise_out(mul_op, {operands, 2}, nullptr, {}, out);
}
bool mul_reusing(const TensorBase& input, const Operand& other) {
  return binary_reusing(mul_op, input, other);
}

}  // namespace eagre::dispatch

// ======== kernels/isa/mul.cpp
// Loops of the pointwise kernel 'mul'. Generated from ops/arithmetic.yaml:26; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/kernel_table.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/arithmetic.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {
template <class T>
void mul_loop(char* const* data, const int64_t* strides, int64_t n, const void*) {
  binary_loop<T, T, T>(data, strides, n, [](T a, T b) { return scalar::mul(a, b); });
}
}  // namespace

extern constinit const PointwiseKernels mul_kernels =
    PointwiseKernels::each<bool, int32_t, int64_t, float, double, Complex<float>, Complex<double>>(
        []<class T>() -> PointwiseKernels::Always<T>* { return &mul_loop<T>; });
}  // namespace eagre::kernels::cpu::EAGRE_ISA

// ======== python/arithmetic_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/mul.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/arithmetic.yaml:26 ----
namespace {
namespace mul_op {
constexpr Parameter kParameters[] = {
    {.name = "input", .aliases = "x a x1", .kind = ParameterKind::kTensorOrNumber},
    {.name = "other", .aliases = "y x2", .kind = ParameterKind::kOperand},
    kOutParameter,
};
constexpr Signature kFunction{.op = "mul", .parameters = {kParameters, 3}, .positional = 2};
constexpr Signature kMethod{.op = "mul", .parameters = {kParameters, 2}, .positional = 2};
constexpr Signature kInplace{.op = "mul_", .parameters = {kParameters, 2}, .positional = 2};

template <Form kForm>
PyObject* run(const Arguments& a) {
  if (kForm == Form::kNew && a.has(2)) return run<Form::kOut>(a);
  if (!is_tensor(a[0])) [[unlikely]] return with_number<run<kForm>>(a, 0, 1);
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  if constexpr (kForm == Form::kNew) {
    return run_and_wrap([&](CallSite at) { return ops::mul(input, other, at); }, input, other);
  } else if constexpr (kForm == Form::kInplace) {
    return call_inplace_op(a[0], [&](CallSite at) { ops::mul_(input, other, at); }, input, other);
  } else {
    const TensorVector targets = a.out(2, 1);
    return call_inplace_op(a[2], [&](CallSite at) { ops::mul_out(input, other, targets[0], at); },
                           input, other);
  }
}
}  // namespace mul_op
}  // namespace

PyObject* mul_slot(PyObject* a, PyObject* b) {
  return operand_slot(
      "mul", {"mul", "mul"}, a, b,
      [](const TensorBase& x, const Operand& y, CallSite at) { return ops::mul(x, y, at); },
      [](const TensorBase& x, const Operand& y, CallSite at) { return ops::mul(x, y, at); });
}

PyObject* mul_inplace_slot(PyObject* a, PyObject* b) {
  return inplace_slot("mul_", a, b, [](const TensorBase& x, const Operand& y,
                                       CallSite at) { ops::mul_(x, y, at); });
}

extern const PyMethodDef arithmetic_0_functions[] = {
    op_function<mul_op::kFunction, mul_op::run<Form::kNew>, mul_slot>(
        "mul", "mul(input, other, *, out=None)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    op_function<mul_op::kFunction, mul_op::run<Form::kNew>, mul_slot>(
        "multiply",
        "mul(input, other, *, out=None)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    {}};

extern const PyMethodDef arithmetic_0_methods[] = {
    op_method<mul_op::kMethod, mul_op::run<Form::kNew>>(
        "mul", "mul($self, other)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    op_method<mul_op::kMethod, mul_op::run<Form::kNew>>(
        "multiply",
        "mul($self, other)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    op_method<mul_op::kInplace, mul_op::run<Form::kInplace>>(
        "mul_", "mul_($self, other)\n--\n\n`mul()`, written into this tensor: `input` is the tensor itself.\n\nThe product `input * other`, with broadcasting and type promotion."),
    op_method<mul_op::kInplace, mul_op::run<Form::kInplace>>(
        "multiply_",
        "mul_($self, other)\n--\n\n`mul()`, written into this tensor: `input` is the tensor itself.\n\nThe product `input * other`, with broadcasting and type promotion."),
    {}};

}  // namespace eagre::python
