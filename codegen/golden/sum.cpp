// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/sum.h
// sum: dispatch, and recording of the gradient. Generated from ops/reduction.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, CallSite at);
EAGRE_API void sum_out(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== autograd/reduction_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/conjugate.h>
#include <eagre/autograd/ops/expand_reduced.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/sum.h>
#include <eagre/dispatch/ops/sum.h>

// ---- ops/reduction.yaml:3 ----
namespace eagre::ops {

namespace {

class SumNode final : public autograd::Node {
 public:
  SumNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}

  std::string_view name() const override { return "SumBackward0"; }
  void apply(autograd::BackwardCall& call) override;
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("dim", dim_);
    visitor.see("keepdim", keepdim_);
    visitor.see("self_sym_sizes", input_shape_);
  }

  SavedDims dim_;
  bool keepdim_;
  DimVector input_shape_;
};

void SumNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::expand_reduced(g, input_shape_, dim_.get(), keepdim_, at));
}

}  // namespace

namespace {
EAGRE_COLD TensorBase sum_transformed(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::sum(input, dim, keepdim, dtype, at);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<SumNode>::adopt(new SumNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->dim_ = dim;
    node->keepdim_ = keepdim;
    node->input_shape_ = input.sizes();
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  autograd::jvp::sum(result, input, dim, keepdim, dtype, at);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase sum_plainly(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::sum(input, dim, keepdim, dtype);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<SumNode>::adopt(new SumNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->dim_ = dim;
    node->keepdim_ = keepdim;
    node->input_shape_ = input.sizes();
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return sum_transformed(input, dim, keepdim, dtype, at);
  return sum_plainly(input, dim, keepdim, dtype, at);
}

void sum_out(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, const TensorBase& out, CallSite at) {
  thread_state.site = at;
  autograd::check_out("sum", input, out);
  autograd::before_write(out);
  dispatch::sum_out(input, dim, keepdim, dtype, out);
  autograd::note_write(out, "sum()", at);
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/sum.h
// sum: dispatch to kernels, without recording. Generated from ops/reduction.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype);
void sum_out(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/reduction_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/sum.h>
#include <eagre/dispatch/structured.h>

// ---- ops/reduction.yaml:3 ----
namespace eagre::kernels::cpu {
namespace baseline {
void sum_bool(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_i32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_i64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_c64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_c128(const TensorView&, const TensorView&, const OptionalDims&, bool);
}  // namespace baseline
namespace avx2 {
void sum_bool(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_i32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_i64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_c64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_c128(const TensorView&, const TensorView&, const OptionalDims&, bool);
}  // namespace avx2
namespace avx512 {
void sum_bool(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_i32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_i64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_c64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_c128(const TensorView&, const TensorView&, const OptionalDims&, bool);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace sum_op {
namespace {
using Function = void(const TensorView&, const TensorView&, const OptionalDims&, bool);
constexpr TypedRow<Function> kBaseline{
    {&kernels::cpu::baseline::sum_bool,
     &kernels::cpu::baseline::sum_i32,
     &kernels::cpu::baseline::sum_i32,
     &kernels::cpu::baseline::sum_i32,
     &kernels::cpu::baseline::sum_i32,
     &kernels::cpu::baseline::sum_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::sum_f32,
     &kernels::cpu::baseline::sum_f32,
     &kernels::cpu::baseline::sum_f32,
     &kernels::cpu::baseline::sum_f64,
     &kernels::cpu::baseline::sum_c64,
     &kernels::cpu::baseline::sum_c128},
    {&kernels::cpu::baseline::sum_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::sum_i32,
     &kernels::cpu::baseline::sum_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::sum_f32,
     &kernels::cpu::baseline::sum_f64,
     &kernels::cpu::baseline::sum_c64,
     &kernels::cpu::baseline::sum_c128}};
constexpr TypedRow<Function> kAvx2{
    {&kernels::cpu::avx2::sum_bool,
     &kernels::cpu::avx2::sum_i32,
     &kernels::cpu::avx2::sum_i32,
     &kernels::cpu::avx2::sum_i32,
     &kernels::cpu::avx2::sum_i32,
     &kernels::cpu::avx2::sum_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::sum_f32,
     &kernels::cpu::avx2::sum_f32,
     &kernels::cpu::avx2::sum_f32,
     &kernels::cpu::avx2::sum_f64,
     &kernels::cpu::avx2::sum_c64,
     &kernels::cpu::avx2::sum_c128},
    {&kernels::cpu::avx2::sum_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::sum_i32,
     &kernels::cpu::avx2::sum_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::sum_f32,
     &kernels::cpu::avx2::sum_f64,
     &kernels::cpu::avx2::sum_c64,
     &kernels::cpu::avx2::sum_c128}};
constexpr TypedRow<Function> kAvx512{
    {&kernels::cpu::avx512::sum_bool,
     &kernels::cpu::avx512::sum_i32,
     &kernels::cpu::avx512::sum_i32,
     &kernels::cpu::avx512::sum_i32,
     &kernels::cpu::avx512::sum_i32,
     &kernels::cpu::avx512::sum_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::sum_f32,
     &kernels::cpu::avx512::sum_f32,
     &kernels::cpu::avx512::sum_f32,
     &kernels::cpu::avx512::sum_f64,
     &kernels::cpu::avx512::sum_c64,
     &kernels::cpu::avx512::sum_c128},
    {&kernels::cpu::avx512::sum_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::sum_i32,
     &kernels::cpu::avx512::sum_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::sum_f32,
     &kernels::cpu::avx512::sum_f64,
     &kernels::cpu::avx512::sum_c64,
     &kernels::cpu::avx512::sum_c128}};
constinit OpEntry entry{"sum", "sum(Tensor,int[]?,bool,dtype?)->Tensor", "sum", {&kBaseline, &kAvx2, &kAvx512}};

TensorBase run(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, [[maybe_unused]] const TensorBase* const* out) {
  CommonDevice common(entry.shown);
  common.add(input.get(entry.shown, "input"), "input");
  const Device device = common.get();
  const DType compute = dtype.value_or(accumulate_dtype(input.dtype()));
  const DimVector sizes = meta::reduced(entry.shown, input.get(), dim, keepdim);
  const DType result_dtype = compute;
  const Kernel kernel = select_kernel(entry, device, compute);
  if (device.is_meta()) return written_to(entry, out, allocate(sizes, result_dtype, device));
  if (kernel == nullptr) return written_to(entry, out, on_device(run(on_device(input, Device()), dim, keepdim, dtype, nullptr), device));
  const DType inner = kernel_dtype(device, compute, 0x0);
  const TensorBase input_ready = prepare(input, device, inner, false);
  TensorBase result = out == nullptr ? allocate(sizes, inner, device)
      : out_memory(entry, *out[0], sizes, inner, result_dtype, device, shared_with(*out[0], input_ready));
  trace(entry, device, compute);
  if (device.is_cpu()) {
    reinterpret_cast<Function*>(kernel)(TensorView(result.get()), TensorView(input_ready.get()), dim, keepdim);
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(input_ready);
    args.add(dim);
    args.add(keepdim);
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
}  // namespace sum_op

OpEntry& sum_entry = sum_op::entry;

TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype) {
  return sum_op::run(input, dim, keepdim, dtype, nullptr);
}

void sum_out(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, const TensorBase& out) {
  const TensorBase* const targets[] = {&out};
  sum_op::run(input, dim, keepdim, dtype, targets);
}

}  // namespace eagre::dispatch

// ======== python/reduction_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/sum.h>

#include "op_call.h"

// ---- ops/reduction.yaml:3 ----
namespace eagre::python {
namespace {

namespace sum_op {

constexpr Parameter kParameters[] = {
    {"input", "x", true, ParameterKind::kTensor, false},
    {"dim", "axis", false, ParameterKind::kIntegerOrIntegers, true},
    {"keepdim", "keepdims", false, ParameterKind::kBool, false},
    {"dtype", nullptr, false, ParameterKind::kDType, true},
    {"out", nullptr, false, ParameterKind::kAny, true},
};

constexpr Signature kFunction{"sum", {kParameters, 5}, 3, -1};
constexpr Signature kMethod{"sum", {kParameters, 4}, 3, -1};

PyObject* run_out(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const IntsArgument dim = a.optional_ints(1);
  const bool keepdim = a.boolean(2, false);
  const std::optional<DType> dtype = a.optional_dtype(3);
  const TensorVector targets = a.out(4, 1);
  return call_inplace_op(
      a[4], [&](CallSite at) { ops::sum_out(input, dim, keepdim, dtype, targets[0], at); }, input);
}

PyObject* run(const Arguments& a) {
  if (a.has(4)) return run_out(a);
  const TensorBase& input = a.tensor(0);
  const IntsArgument dim = a.optional_ints(1);
  const bool keepdim = a.boolean(2, false);
  const std::optional<DType> dtype = a.optional_dtype(3);
  return call_op([&](CallSite at) { return ops::sum(input, dim, keepdim, dtype, at); }, input);
}

}  // namespace sum_op

}  // namespace

PyObject* sum_function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(nullptr, args, count, names)) [[unlikely]]
    return override_function("sum", args, count, names);
  return guarded([&] { return sum_op::run(Arguments(sum_op::kFunction, nullptr, args, count, names)); });
}

PyObject* sum_method(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("sum", self, args, count, names);
  return guarded([&] { return sum_op::run(Arguments(sum_op::kMethod, self, args, count, names)); });
}

}  // namespace eagre::python
