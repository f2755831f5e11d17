// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/matmul.h
// matmul: dispatch, and recording of the gradient. Generated from ops/linalg.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase matmul(const TensorBase& input, const TensorBase& other, CallSite at);
EAGRE_API void matmul_out(const TensorBase& input, const TensorBase& other, const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== autograd/linalg_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/conjugate.h>
#include <eagre/autograd/ops/matmul.h>
#include <eagre/autograd/ops/matmul_grad_input.h>
#include <eagre/autograd/ops/matmul_grad_other.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/matmul.h>
#include <eagre/dispatch/ops/matmul.h>

// ---- ops/linalg.yaml:3 ----
namespace eagre::ops {

namespace {

class MatmulNode final : public autograd::Node {
 public:
  MatmulNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}

  std::string_view name() const override { return "MatmulBackward0"; }
  void apply(autograd::BackwardCall& call) override;
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("other", other_);
    visitor.see("self", input_);
    visitor.see("self_sym_sizes", input_shape_);
    visitor.see("other_sym_sizes", other_shape_);
    visitor.see("other_sym_strides", other_strides_);
  }

  autograd::SavedTensor other_;
  autograd::SavedTensor input_;
  DimVector input_shape_;
  DimVector other_shape_;
  DimVector other_strides_;
};

void MatmulNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    other_.skip(call);
    input_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase other;
  if (call.wants(0)) {
    other = other_.read(*this, call, "other");
    autograd::conjugate(other, at);
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
  if (call.wants(0)) call.set(0, ops::matmul_grad_input(g, other, input_shape_, at));
  if (call.wants(1)) call.set(1, ops::matmul_grad_other(g, input, other_shape_, other_strides_, at));
}

}  // namespace

namespace {
EAGRE_COLD TensorBase matmul_transformed(const TensorBase& input, const TensorBase& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::matmul(input, other, at);
  if (autograd::should_record(input, other) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<MatmulNode>::adopt(new MatmulNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(other);
    if (node->has_edge(1)) node->input_.save_input(input);
    node->input_shape_ = input.sizes();
    node->other_shape_ = other.sizes();
    node->other_strides_ = other.strides();
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  autograd::jvp::matmul(result, input, other, at);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase matmul_plainly(const TensorBase& input, const TensorBase& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::matmul(input, other);
  if (autograd::should_record(input, other) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<MatmulNode>::adopt(new MatmulNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(other);
    if (node->has_edge(1)) node->input_.save_input(input);
    node->input_shape_ = input.sizes();
    node->other_shape_ = other.sizes();
    node->other_strides_ = other.strides();
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase matmul(const TensorBase& input, const TensorBase& other, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return matmul_transformed(input, other, at);
  return matmul_plainly(input, other, at);
}

void matmul_out(const TensorBase& input, const TensorBase& other, const TensorBase& out, CallSite at) {
  thread_state.site = at;
  autograd::check_out("matmul", input, other, out);
  autograd::before_write(out);
  dispatch::matmul_out(input, other, out);
  autograd::note_write(out, "matmul()", at);
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/matmul.h
// matmul: dispatch to kernels, without recording. Generated from ops/linalg.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase matmul(const TensorBase& input, const TensorBase& other);
void matmul_out(const TensorBase& input, const TensorBase& other, const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/linalg_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/matmul.h>
#include <eagre/dispatch/structured.h>

// ---- ops/linalg.yaml:3 ----
namespace eagre::kernels::cpu {
namespace baseline {
void matmul_i32(const TensorView&, const TensorView&, const TensorView&);
void matmul_i64(const TensorView&, const TensorView&, const TensorView&);
void matmul_f16(const TensorView&, const TensorView&, const TensorView&);
void matmul_bf16(const TensorView&, const TensorView&, const TensorView&);
void matmul_f32(const TensorView&, const TensorView&, const TensorView&);
void matmul_f64(const TensorView&, const TensorView&, const TensorView&);
void matmul_c64(const TensorView&, const TensorView&, const TensorView&);
void matmul_c128(const TensorView&, const TensorView&, const TensorView&);
}  // namespace baseline
namespace avx2 {
void matmul_i32(const TensorView&, const TensorView&, const TensorView&);
void matmul_i64(const TensorView&, const TensorView&, const TensorView&);
void matmul_f16(const TensorView&, const TensorView&, const TensorView&);
void matmul_bf16(const TensorView&, const TensorView&, const TensorView&);
void matmul_f32(const TensorView&, const TensorView&, const TensorView&);
void matmul_f64(const TensorView&, const TensorView&, const TensorView&);
void matmul_c64(const TensorView&, const TensorView&, const TensorView&);
void matmul_c128(const TensorView&, const TensorView&, const TensorView&);
}  // namespace avx2
namespace avx512 {
void matmul_i32(const TensorView&, const TensorView&, const TensorView&);
void matmul_i64(const TensorView&, const TensorView&, const TensorView&);
void matmul_f16(const TensorView&, const TensorView&, const TensorView&);
void matmul_bf16(const TensorView&, const TensorView&, const TensorView&);
void matmul_f32(const TensorView&, const TensorView&, const TensorView&);
void matmul_f64(const TensorView&, const TensorView&, const TensorView&);
void matmul_c64(const TensorView&, const TensorView&, const TensorView&);
void matmul_c128(const TensorView&, const TensorView&, const TensorView&);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace matmul_op {
namespace {
using Function = void(const TensorView&, const TensorView&, const TensorView&);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     &kernels::cpu::baseline::matmul_i32,
     &kernels::cpu::baseline::matmul_i32,
     &kernels::cpu::baseline::matmul_i32,
     &kernels::cpu::baseline::matmul_i32,
     &kernels::cpu::baseline::matmul_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::matmul_f16,
     &kernels::cpu::baseline::matmul_bf16,
     &kernels::cpu::baseline::matmul_f32,
     &kernels::cpu::baseline::matmul_f64,
     &kernels::cpu::baseline::matmul_c64,
     &kernels::cpu::baseline::matmul_c128},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::matmul_i32,
     &kernels::cpu::baseline::matmul_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::matmul_f16,
     &kernels::cpu::baseline::matmul_bf16,
     &kernels::cpu::baseline::matmul_f32,
     &kernels::cpu::baseline::matmul_f64,
     &kernels::cpu::baseline::matmul_c64,
     &kernels::cpu::baseline::matmul_c128}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     &kernels::cpu::avx2::matmul_i32,
     &kernels::cpu::avx2::matmul_i32,
     &kernels::cpu::avx2::matmul_i32,
     &kernels::cpu::avx2::matmul_i32,
     &kernels::cpu::avx2::matmul_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::matmul_f16,
     &kernels::cpu::avx2::matmul_bf16,
     &kernels::cpu::avx2::matmul_f32,
     &kernels::cpu::avx2::matmul_f64,
     &kernels::cpu::avx2::matmul_c64,
     &kernels::cpu::avx2::matmul_c128},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::matmul_i32,
     &kernels::cpu::avx2::matmul_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::matmul_f16,
     &kernels::cpu::avx2::matmul_bf16,
     &kernels::cpu::avx2::matmul_f32,
     &kernels::cpu::avx2::matmul_f64,
     &kernels::cpu::avx2::matmul_c64,
     &kernels::cpu::avx2::matmul_c128}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     &kernels::cpu::avx512::matmul_i32,
     &kernels::cpu::avx512::matmul_i32,
     &kernels::cpu::avx512::matmul_i32,
     &kernels::cpu::avx512::matmul_i32,
     &kernels::cpu::avx512::matmul_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::matmul_f16,
     &kernels::cpu::avx512::matmul_bf16,
     &kernels::cpu::avx512::matmul_f32,
     &kernels::cpu::avx512::matmul_f64,
     &kernels::cpu::avx512::matmul_c64,
     &kernels::cpu::avx512::matmul_c128},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::matmul_i32,
     &kernels::cpu::avx512::matmul_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::matmul_f16,
     &kernels::cpu::avx512::matmul_bf16,
     &kernels::cpu::avx512::matmul_f32,
     &kernels::cpu::avx512::matmul_f64,
     &kernels::cpu::avx512::matmul_c64,
     &kernels::cpu::avx512::matmul_c128}};
constinit OpEntry entry{"matmul", "matmul(Tensor,Tensor)->Tensor", "matmul", {&kBaseline, &kAvx2, &kAvx512}};

TensorBase run(const TensorBase& input, const TensorBase& other, [[maybe_unused]] const TensorBase* const* out) {
  CommonDevice common(entry.shown);
  common.add(input.get(entry.shown, "input"), "input");
  common.add(other.get(entry.shown, "other"), "other");
  const Device device = common.get();
  const DType compute = same_dtype(entry.shown, {{input.get(), "input"}, {other.get(), "other"}});
  const DimVector sizes = meta::matmul(entry.shown, input.get(), other.get());
  const DType result_dtype = compute;
  const Kernel kernel = select_kernel(entry, device, compute);
  if (device.is_meta()) return written_to(entry, out, allocate(sizes, result_dtype, device));
  if (kernel == nullptr) return written_to(entry, out, on_device(run(on_device(input, Device()), on_device(other, Device()), nullptr), device));
  const DType inner = kernel_dtype(device, compute, 0x600);
  const TensorBase input_ready = prepare(input, device, inner, false);
  const TensorBase other_ready = prepare(other, device, inner, false);
  TensorBase result = out == nullptr ? allocate(sizes, inner, device)
      : out_memory(entry, *out[0], sizes, inner, result_dtype, device, shared_with(*out[0], input_ready, other_ready));
  trace(entry, device, compute);
  if (device.is_cpu()) {
    reinterpret_cast<Function*>(kernel)(TensorView(result.get()), TensorView(input_ready.get()), TensorView(other_ready.get()));
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(input_ready);
    args.add(other_ready);
    args.call(entry, device, kernel);
  }
  check_values(entry, result.get());
  if (out != nullptr) {
    write_out(entry, *out[0], result);
    return result;
  }
  return as_dtype(result, result_dtype);
}

}  // namespace
}  // namespace matmul_op

OpEntry& matmul_entry = matmul_op::entry;

TensorBase matmul(const TensorBase& input, const TensorBase& other) {
  return matmul_op::run(input, other, nullptr);
}

void matmul_out(const TensorBase& input, const TensorBase& other, const TensorBase& out) {
  const TensorBase* const targets[] = {&out};
  matmul_op::run(input, other, targets);
}

}  // namespace eagre::dispatch

// ======== python/linalg_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/matmul.h>

#include "op_call.h"

// ---- ops/linalg.yaml:3 ----
namespace eagre::python {
namespace {

namespace matmul_op {

constexpr Parameter kParameters[] = {
    {"input", "x", true, ParameterKind::kTensor, false},
    {"other", "y", true, ParameterKind::kTensor, false},
    {"out", nullptr, false, ParameterKind::kAny, true},
};

constexpr Signature kFunction{"matmul", {kParameters, 3}, 2, -1};
constexpr Signature kMethod{"matmul", {kParameters, 2}, 2, -1};

PyObject* run_out(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const TensorBase& other = a.tensor(1);
  const TensorVector targets = a.out(2, 1);
  return call_inplace_op(
      a[2], [&](CallSite at) { ops::matmul_out(input, other, targets[0], at); }, input, other);
}

PyObject* run(const Arguments& a) {
  if (a.has(2)) return run_out(a);
  const TensorBase& input = a.tensor(0);
  const TensorBase& other = a.tensor(1);
  return call_op([&](CallSite at) { return ops::matmul(input, other, at); }, input, other);
}

}  // namespace matmul_op

}  // namespace

PyObject* matmul_slot(PyObject* a, PyObject* b) {
  return tensor_slot({"matmul", "__rmatmul__"}, a, b, [](const TensorBase& x, const TensorBase& y, CallSite at) {
    return ops::matmul(x, y, at);
  });
}

PyObject* matmul_function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(nullptr, args, count, names)) [[unlikely]]
    return override_function("matmul", args, count, names);
  return guarded([&] { return matmul_op::run(Arguments(matmul_op::kFunction, nullptr, args, count, names)); });
}

PyObject* matmul_method(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("matmul", self, args, count, names);
  return guarded([&] { return matmul_op::run(Arguments(matmul_op::kMethod, self, args, count, names)); });
}

}  // namespace eagre::python
