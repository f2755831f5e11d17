// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/add.h
// add: dispatch, and recording of the gradient. Generated from ops/arithmetic.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase add(const TensorBase& input, const Operand& other, const Scalar& alpha,
                         CallSite at);
EAGRE_API void add_(const TensorBase& input, const Operand& other, const Scalar& alpha,
                    CallSite at);
EAGRE_API void add_out(const TensorBase& input, const Operand& other, const Scalar& alpha,
                       const TensorBase& out, CallSite at);
// May write over a temporary first argument.
EAGRE_API TensorBase add(TensorBase&& input, const Operand& other, const Scalar& alpha,
                         CallSite at);

}  // namespace eagre::ops

// ======== ops/arithmetic_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/conjugate.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/add.h>
#include <eagre/ops/add.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/scale.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/arithmetic.yaml:3 ----
namespace {
EAGRE_INLINE TensorBase add_reusing(TensorBase&& input, const Operand& other, const Scalar& alpha,
                                    CallSite at) {
  if (!GradMode::is_enabled() && !autograd::transforms_active()) {
    thread_state.site = at;
    if (dispatch::add_reusing(input, other, alpha)) return std::move(input);
  }
  return add(std::as_const(input), other, alpha, at);
}

class AddNode final : public autograd::Node {
 public:
  AddNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}
  std::string name() const override { return "AddBackward0"; }
  void visit_saved(autograd::SavedVisitor& visitor) override { visitor.see("alpha", alpha_); }
  void apply(autograd::BackwardCall& call) override {
    TensorBase& g = call.grad(0);
    if (!g.defined()) return;
    const CallSite at = CallSite::of_id(site());
    if (call.wants(0)) call.set(0, call.wants(1) ? g : std::move(g));
    if (call.wants(1)) call.set(1, ops::scale(g, autograd::conjugate(alpha_), at));
  }
  Scalar alpha_;
};

TensorBase add_batched(const TensorBase& input, const Operand& other, const Scalar& alpha,
                       CallSite at) {
  Level* const level = TransformedInputs(input, other).batch_level();
  if (level == nullptr) return dispatch::add(input, other, alpha);
  BatchCall call("add", level, at);
  call.align(input, other);
  call.promote(input, other);
  return call.result(ops::add(call.aligned(input), call.aligned(other), alpha, at));
}

void add_tangents(const TensorBase& result, const TensorBase& input, const Operand& other,
                  const Scalar& alpha, CallSite at) {
  const TransformedInputs arguments(input, other);
  for_dual_levels(arguments, [&](Level& level) {
    TensorBase sum;
    if (const TensorBase input_t = tangent_of(input, level); input_t.defined()) {
      add_tangent(sum, input_t, at);
    }
    if (const TensorBase other_t = tangent_of(other, level); other_t.defined()) {
      add_tangent(sum, ops::scale(other_t, alpha, at), at);
    }
    give_tangent(result, arguments, level, std::move(sum), at);
  });
}

template <bool kTransformed>
EAGRE_INLINE TensorBase add_recorded(const TensorBase& input, const Operand& other,
                                     const Scalar& alpha, CallSite at) {
  thread_state.site = at;
  TensorBase result =
      kTransformed ? add_batched(input, other, alpha, at) : dispatch::add(input, other, alpha);
  if (autograd::should_record(input, other) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<AddNode>::adopt(new AddNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    node->alpha_ = alpha;
    autograd::Node::set_history_of_new(std::move(node), *result.impl());
  }
  if constexpr (kTransformed) add_tangents(result, input, other, alpha, at);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase add_transformed(const TensorBase& input, const Operand& other,
                                      const Scalar& alpha, CallSite at) {
  return add_recorded<true>(input, other, alpha, at);
}
}  // namespace

TensorBase add(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return add_transformed(input, other, alpha, at);
  return add_recorded<false>(input, other, alpha, at);
}

void add_(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at) {
  thread_state.site = at;
  if (autograd::are_transformed(input, other)) {
    const TensorBase original = GradMode::is_enabled() ? ops::clone(input, at) : input;
    return autograd::assign_result(
        "add_", input, ops::add(original, autograd::instead(other, input, original), alpha, at),
        at);
  }
  IntrusivePtr<AddNode> node;
  if (autograd::should_record(input, other)) {
    autograd::check_inplace("add_", input);
    node = IntrusivePtr<AddNode>::adopt(new AddNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    node->alpha_ = alpha;
  }
  autograd::before_write(input);
  dispatch::add_(input, other, alpha);
  autograd::note_write(input, "add_()", at);
  if (node) {
    autograd::rebase_history(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

void add_out(const TensorBase& input, const Operand& other, const Scalar& alpha,
             const TensorBase& out, CallSite at) {
  autograd::run_out("add", "add()", out, at, [&] { dispatch::add_out(input, other, alpha, out); },
                    input, other);
}

TensorBase add(TensorBase&& input, const Operand& other, const Scalar& alpha, CallSite at) {
  return add_reusing(std::move(input), other, alpha, at);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/add.h
// add: dispatch to kernels, without recording. Generated from ops/arithmetic.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase add(const TensorBase& input, const Operand& other, const Scalar& alpha);
void add_(const TensorBase& input, const Operand& other, const Scalar& alpha);
void add_out(const TensorBase& input, const Operand& other, const Scalar& alpha,
             const TensorBase& out);
bool add_reusing(const TensorBase& input, const Operand& other, const Scalar& alpha);

}  // namespace eagre::dispatch

// ======== dispatch/arithmetic_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/add.h>
#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu::avx2 {
extern const PointwiseKernels add_kernels;
}  // namespace eagre::kernels::cpu::avx2

namespace eagre::kernels::cpu::avx512 {
extern const PointwiseKernels add_kernels;
}  // namespace eagre::kernels::cpu::avx512

namespace eagre::kernels::cpu::baseline {
extern const PointwiseKernels add_kernels;
}  // namespace eagre::kernels::cpu::baseline

namespace eagre::dispatch {

// ---- ops/arithmetic.yaml:3 ----
constinit PointwiseOp add_op{
    .entry = {.name = "add",
              .signature = "add(Tensor,Tensor|Scalar,Scalar)->Tensor",
              .public_name = "add",
              .dtypes = dtypes::kArithmetic,
              .cpu = {baseline::add_kernels, avx2::add_kernels, avx512::add_kernels}},
    .compute = ComputeRule::kPromote,
    .result = ResultRule::kCompute,
    .attributes = 1,
    .input_names = {"input", "other"},
    .attribute_names = {"alpha"}};
TensorBase add(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  const Scalar* const attributes = &alpha;
  return binary(add_op, input, other, attributes);
}
void add_(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  const Scalar* const attributes = &alpha;
  binary_inplace(add_op, input, other, attributes);
}
void add_out(const TensorBase& input, const Operand& other, const Scalar& alpha,
             const TensorBase& out) {
  const Operand operands[] = {input, other};
  const Scalar* const attributes = &alpha;
  pointwise_out(add_op, {operands, 2}, attributes, {}, out);
}
bool add_reusing(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  const Scalar* const attributes = &alpha;
  return binary_reusing(add_op, input, other, attributes);
}

}  // namespace eagre::dispatch

// ======== kernels/isa/add.cpp
// Loops of the pointwise kernel 'add'. Generated from ops/arithmetic.yaml:3; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/kernel_table.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/arithmetic.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {
template <class T>
void add_loop(char* const* data, const int64_t* strides, int64_t n, const void* attributes) {
  const T attribute_0 = attribute<T>(attributes, 0);
  binary_loop<T, T, T>(data, strides, n, [=](T a, T b) { return scalar::add(a, b, attribute_0); });
}
}  // namespace

extern constinit const PointwiseKernels add_kernels =
    PointwiseKernels::each<bool, int32_t, int64_t, float, double, Complex<float>, Complex<double>>(
        []<class T>() -> PointwiseKernels::Always<T>* { return &add_loop<T>; });
}  // namespace eagre::kernels::cpu::EAGRE_ISA

// ======== python/arithmetic_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/add.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/arithmetic.yaml:3 ----
namespace {
namespace add_op {
constexpr Parameter kParameters[] = {
    {.name = "input", .aliases = "x a x1", .kind = ParameterKind::kTensorOrNumber},
    {.name = "other", .aliases = "y x2", .kind = ParameterKind::kOperand},
    {.name = "alpha", .required = false, .kind = ParameterKind::kNumber},
    kOutParameter,
};
constexpr Signature kFunction{.op = "add", .parameters = {kParameters, 4}, .positional = 2,
                              .deprecated = "input alpha other"};
constexpr Signature kMethod{.op = "add", .parameters = {kParameters, 3}, .positional = 2,
                            .deprecated = "input alpha other"};
constexpr Signature kInplace{.op = "add_", .parameters = {kParameters, 3}, .positional = 2,
                             .deprecated = "input alpha other"};

template <Form kForm>
PyObject* run(const Arguments& a) {
  if (kForm == Form::kNew && a.has(3)) return run<Form::kOut>(a);
  if (!is_tensor(a[0])) [[unlikely]] return with_number<run<kForm>>(a, 0, 1);
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  const Scalar alpha = a.scalar(2, 1);
  if constexpr (kForm == Form::kNew) {
    return run_and_wrap([&](CallSite at) { return ops::add(input, other, alpha, at); }, input,
                        other);
  } else if constexpr (kForm == Form::kInplace) {
    return call_inplace_op(a[0], [&](CallSite at) { ops::add_(input, other, alpha, at); }, input,
                           other);
  } else {
    const TensorVector targets = a.out(3, 1);
    return call_inplace_op(a[3],
                           [&](CallSite at) { ops::add_out(input, other, alpha, targets[0], at); },
                           input, other);
  }
}
}  // namespace add_op
}  // namespace

PyObject* add_slot(PyObject* a, PyObject* b) {
  return operand_slot(
      "add", {"add", "add"}, a, b,
      [](const TensorBase& x, const Operand& y, CallSite at) { return ops::add(x, y, 1, at); },
      [](const TensorBase& x, const Operand& y, CallSite at) { return ops::add(x, y, 1, at); });
}

PyObject* add_inplace_slot(PyObject* a, PyObject* b) {
  return inplace_slot("add_", a, b, [](const TensorBase& x, const Operand& y,
                                       CallSite at) { ops::add_(x, y, 1, at); });
}

extern const PyMethodDef arithmetic_0_functions[] = {
    op_function<add_op::kFunction, add_op::run<Form::kNew>, add_slot>(
        "add", "add(input, other, *, alpha=1, out=None)\n--\n\nThe sum `input + alpha * other`, with broadcasting and type promotion.\n\n>>> eagre.add(eagre.tensor([1., 2.]), 10)\ntensor([11., 12.])"),
    {}};

extern const PyMethodDef arithmetic_0_methods[] = {
    op_method<add_op::kMethod, add_op::run<Form::kNew>>(
        "add", "add($self, other, *, alpha=1)\n--\n\nThe sum `input + alpha * other`, with broadcasting and type promotion.\n\n>>> eagre.add(eagre.tensor([1., 2.]), 10)\ntensor([11., 12.])"),
    op_method<add_op::kInplace, add_op::run<Form::kInplace>>(
        "add_", "add_($self, other, *, alpha=1)\n--\n\n`add()`, written into this tensor: `input` is the tensor itself.\n\nThe sum `input + alpha * other`, with broadcasting and type promotion."),
    {}};

}  // namespace eagre::python
