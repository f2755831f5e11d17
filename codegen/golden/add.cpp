// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/add.h
// add: dispatch, and recording of the gradient. Generated from ops/binary.yaml:4; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase add(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at);
EAGRE_API void add_(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at);
EAGRE_API void add_out(const TensorBase& input, const Operand& other, const Scalar& alpha, const TensorBase& out, CallSite at);
// May write over a temporary first argument.
EAGRE_API TensorBase add(TensorBase&& input, const Operand& other, const Scalar& alpha, CallSite at);

}  // namespace eagre::ops

// ======== autograd/binary_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/conjugate.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/add.h>
#include <eagre/dispatch/ops/add.h>

// ---- ops/binary.yaml:4 ----
namespace eagre::ops {

namespace {
EAGRE_INLINE TensorBase add_reusing(TensorBase&& input, const Operand& other, const Scalar& alpha, CallSite at) {
  if (!GradMode::is_enabled() && !autograd::transforms_active()) {
    thread_state.site = at;
    if (dispatch::add_reusing(input, other, alpha)) return std::move(input);
  }
  return add(std::as_const(input), other, alpha, at);
}
}  // namespace

namespace {

class AddNode final : public autograd::Node {
 public:
  AddNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}

  std::string_view name() const override { return "AddBackward0"; }
  void apply(autograd::BackwardCall& call) override;
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("alpha", alpha_);
  }

  Scalar alpha_;
};

void AddNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) {
    if (call.wants(1)) {
      call.set(0, g);
    } else {
      call.set(0, std::move(g));
    }
  }
  if (call.wants(1)) call.set(1, ops::scale(g, autograd::conjugate(alpha_), at));
}

}  // namespace

namespace {
EAGRE_COLD TensorBase add_transformed(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::add(input, other, alpha, at);
  if (autograd::should_record(input, other) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<AddNode>::adopt(new AddNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    node->alpha_ = alpha;
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  autograd::jvp::add(result, input, other, alpha, at);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase add_plainly(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::add(input, other, alpha);
  if (autograd::should_record(input, other) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<AddNode>::adopt(new AddNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    node->alpha_ = alpha;
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase add(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return add_transformed(input, other, alpha, at);
  return add_plainly(input, other, alpha, at);
}

void add_(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at) {
  thread_state.site = at;
  if (autograd::are_transformed(input, other)) {
    const TensorBase original = GradMode::is_enabled() ? ops::clone(input, at) : input;
    return autograd::assign_result("add_", input, ops::add(original, autograd::is_same(other, input) ? Operand(original) : other, alpha, at), at);
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

void add_out(const TensorBase& input, const Operand& other, const Scalar& alpha, const TensorBase& out, CallSite at) {
  thread_state.site = at;
  autograd::check_out("add", input, other, out);
  autograd::before_write(out);
  dispatch::add_out(input, other, alpha, out);
  autograd::note_write(out, "add()", at);
  thread_state.site = CallSite::none();
}

TensorBase add(TensorBase&& input, const Operand& other, const Scalar& alpha, CallSite at) {
  return add_reusing(std::move(input), other, alpha, at);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/add.h
// add: dispatch to kernels, without recording. Generated from ops/binary.yaml:4; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase add(const TensorBase& input, const Operand& other, const Scalar& alpha);
void add_(const TensorBase& input, const Operand& other, const Scalar& alpha);
void add_out(const TensorBase& input, const Operand& other, const Scalar& alpha, const TensorBase& out);
bool add_reusing(const TensorBase& input, const Operand& other, const Scalar& alpha);

}  // namespace eagre::dispatch

// ======== dispatch/binary_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/add.h>
#include <eagre/dispatch/pointwise.h>

// ---- ops/binary.yaml:4 ----
namespace eagre::kernels::cpu {
namespace baseline {
void add_bool(char* const*, const int64_t*, int64_t, const void*);
void add_i32(char* const*, const int64_t*, int64_t, const void*);
void add_i64(char* const*, const int64_t*, int64_t, const void*);
void add_f32(char* const*, const int64_t*, int64_t, const void*);
void add_f64(char* const*, const int64_t*, int64_t, const void*);
void add_c64(char* const*, const int64_t*, int64_t, const void*);
void add_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void add_bool(char* const*, const int64_t*, int64_t, const void*);
void add_i32(char* const*, const int64_t*, int64_t, const void*);
void add_i64(char* const*, const int64_t*, int64_t, const void*);
void add_f32(char* const*, const int64_t*, int64_t, const void*);
void add_f64(char* const*, const int64_t*, int64_t, const void*);
void add_c64(char* const*, const int64_t*, int64_t, const void*);
void add_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void add_bool(char* const*, const int64_t*, int64_t, const void*);
void add_i32(char* const*, const int64_t*, int64_t, const void*);
void add_i64(char* const*, const int64_t*, int64_t, const void*);
void add_f32(char* const*, const int64_t*, int64_t, const void*);
void add_f64(char* const*, const int64_t*, int64_t, const void*);
void add_c64(char* const*, const int64_t*, int64_t, const void*);
void add_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace add_op {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {&kernels::cpu::baseline::add_bool,
     &kernels::cpu::baseline::add_i32,
     &kernels::cpu::baseline::add_i32,
     &kernels::cpu::baseline::add_i32,
     &kernels::cpu::baseline::add_i32,
     &kernels::cpu::baseline::add_i64,
     &kernels::cpu::baseline::add_i32,
     &kernels::cpu::baseline::add_i64,
     &kernels::cpu::baseline::add_i64,
     &kernels::cpu::baseline::add_f32,
     &kernels::cpu::baseline::add_f32,
     &kernels::cpu::baseline::add_f32,
     &kernels::cpu::baseline::add_f64,
     &kernels::cpu::baseline::add_c64,
     &kernels::cpu::baseline::add_c128},
    {&kernels::cpu::baseline::add_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::add_i32,
     &kernels::cpu::baseline::add_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::add_f32,
     &kernels::cpu::baseline::add_f64,
     &kernels::cpu::baseline::add_c64,
     &kernels::cpu::baseline::add_c128}};
constexpr TypedRow<Function> kAvx2{
    {&kernels::cpu::avx2::add_bool,
     &kernels::cpu::avx2::add_i32,
     &kernels::cpu::avx2::add_i32,
     &kernels::cpu::avx2::add_i32,
     &kernels::cpu::avx2::add_i32,
     &kernels::cpu::avx2::add_i64,
     &kernels::cpu::avx2::add_i32,
     &kernels::cpu::avx2::add_i64,
     &kernels::cpu::avx2::add_i64,
     &kernels::cpu::avx2::add_f32,
     &kernels::cpu::avx2::add_f32,
     &kernels::cpu::avx2::add_f32,
     &kernels::cpu::avx2::add_f64,
     &kernels::cpu::avx2::add_c64,
     &kernels::cpu::avx2::add_c128},
    {&kernels::cpu::avx2::add_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::add_i32,
     &kernels::cpu::avx2::add_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::add_f32,
     &kernels::cpu::avx2::add_f64,
     &kernels::cpu::avx2::add_c64,
     &kernels::cpu::avx2::add_c128}};
constexpr TypedRow<Function> kAvx512{
    {&kernels::cpu::avx512::add_bool,
     &kernels::cpu::avx512::add_i32,
     &kernels::cpu::avx512::add_i32,
     &kernels::cpu::avx512::add_i32,
     &kernels::cpu::avx512::add_i32,
     &kernels::cpu::avx512::add_i64,
     &kernels::cpu::avx512::add_i32,
     &kernels::cpu::avx512::add_i64,
     &kernels::cpu::avx512::add_i64,
     &kernels::cpu::avx512::add_f32,
     &kernels::cpu::avx512::add_f32,
     &kernels::cpu::avx512::add_f32,
     &kernels::cpu::avx512::add_f64,
     &kernels::cpu::avx512::add_c64,
     &kernels::cpu::avx512::add_c128},
    {&kernels::cpu::avx512::add_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::add_i32,
     &kernels::cpu::avx512::add_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::add_f32,
     &kernels::cpu::avx512::add_f64,
     &kernels::cpu::avx512::add_c64,
     &kernels::cpu::avx512::add_c128}};
constinit PointwiseOp op{{"add", "add(Tensor,Tensor|Scalar,Scalar)->Tensor", "add", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, ResultRule::kCompute, 0x0, 1, 0, {"input", "other"}, {"alpha"}};
}  // namespace
}  // namespace add_op

OpEntry& add_entry = add_op::op.entry;

TensorBase add(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  using namespace add_op;
  const Scalar* const attributes = &alpha;
  return binary(op, input, other, attributes);
}

void add_(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  using namespace add_op;
  const Scalar* const attributes = &alpha;
  binary_inplace(op, input, other, attributes);
}

void add_out(const TensorBase& input, const Operand& other, const Scalar& alpha, const TensorBase& out) {
  using namespace add_op;
  const Operand operands[] = {input, other};
  const Scalar* const attributes = &alpha;
  pointwise_out(op, {operands, 2}, attributes, {}, out);
}

bool add_reusing(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  using namespace add_op;
  const Scalar* const attributes = &alpha;
  return binary_reusing(op, input, other, attributes);
}

}  // namespace eagre::dispatch

// ======== kernels/levels/add.cpp
// Loops of the pointwise kernel 'add'. Generated from ops/binary.yaml:4; do not edit.
#include <eagre/core/complex.h>
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/add.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  const T attribute_0 = attribute<T>(attributes, 0);
  binary_loop<T, T, T>(data, strides, n, [=](T a, T b) {
    return scalar::add(a, b, attribute_0);
  });
}

}  // namespace

void add_bool(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<bool>(data, strides, n, attributes);
}
void add_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void add_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void add_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void add_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}
void add_c64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<float>>(data, strides, n, attributes);
}
void add_c128(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<double>>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL

// ======== python/binary_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/add.h>

#include "op_call.h"

// ---- ops/binary.yaml:4 ----
namespace eagre::python {
namespace {

namespace add_op {

constexpr Parameter kParameters[] = {
    {"input", "x", true, ParameterKind::kTensor, false},
    {"other", "y", true, ParameterKind::kOperand, false},
    {"alpha", nullptr, false, ParameterKind::kNumber, false},
    {"out", nullptr, false, ParameterKind::kAny, true},
};

constexpr Signature kFunction{"add", {kParameters, 4}, 2, -1};
constexpr Signature kMethod{"add", {kParameters, 3}, 2, -1};
constexpr Signature kInplace{"add_", {kParameters, 3}, 2, -1};

PyObject* run_out(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  const Scalar alpha = a.scalar(2, 1);
  const TensorVector targets = a.out(3, 1);
  return call_inplace_op(
      a[3], [&](CallSite at) { ops::add_out(input, other, alpha, targets[0], at); }, input, other);
}

PyObject* run(const Arguments& a) {
  if (a.has(3)) return run_out(a);
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  const Scalar alpha = a.scalar(2, 1);
  return call_op([&](CallSite at) { return ops::add(input, other, alpha, at); }, input, other);
}

PyObject* run_inplace(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const Operand other = a.operand(1);
  const Scalar alpha = a.scalar(2, 1);
  return call_inplace_op(
      a[0], [&](CallSite at) { ops::add_(input, other, alpha, at); }, input, other);
}

}  // namespace add_op

}  // namespace

PyObject* add_slot(PyObject* a, PyObject* b) {
  return operand_slot("add", {"add", "add"}, a, b, [](const TensorBase& x, const Operand& y, CallSite at) {
    return ops::add(x, y, 1, at);
  }, [](const TensorBase& x, const Operand& y, CallSite at) {
    return ops::add(x, y, 1, at);
  });
}

PyObject* add_inplace_slot(PyObject* a, PyObject* b) {
  return inplace_slot("add_", a, b, [](const TensorBase& x, const Operand& y, CallSite at) {
    ops::add_(x, y, 1, at);
  });
}

PyObject* add_function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(nullptr, args, count, names)) [[unlikely]]
    return override_function("add", args, count, names);
  if (is_number_first(args, count, names)) [[unlikely]]
    return add_slot(args[0], args[1]);
  return guarded([&] { return add_op::run(Arguments(add_op::kFunction, nullptr, args, count, names)); });
}

PyObject* add_method(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("add", self, args, count, names);
  return guarded([&] { return add_op::run(Arguments(add_op::kMethod, self, args, count, names)); });
}

PyObject* add_inplace(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("add_", self, args, count, names);
  return guarded([&] { return add_op::run_inplace(Arguments(add_op::kInplace, self, args, count, names)); });
}

}  // namespace eagre::python
