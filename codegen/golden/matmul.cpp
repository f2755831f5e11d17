// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/matmul.h
// matmul: dispatch, and recording of the gradient. Generated from ops/linalg.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase matmul(const TensorBase& input, const TensorBase& other, CallSite at);
EAGRE_API void matmul_out(const TensorBase& input, const TensorBase& other, const TensorBase& out,
                          CallSite at);

}  // namespace eagre::ops

// ======== ops/linalg_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/conjugate.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/matmul.h>
#include <eagre/dispatch/output.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/matmul_grad_input.h>
#include <eagre/ops/matmul_grad_other.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/linalg.yaml:3 ----
namespace {
class MatmulNode final : public autograd::Node {
 public:
  MatmulNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}
  std::string name() const override { return "MatmulBackward0"; }
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("other", other_);
    visitor.see("self", input_);
    visitor.see("self_sym_sizes", input_shape_);
    visitor.see("other_sym_sizes", other_shape_);
    visitor.see("other_sym_strides", other_strides_);
  }
  void apply(autograd::BackwardCall& call) override {
    TensorBase& g = call.grad(0);
    if (!g.defined()) return autograd::skip(call, other_, input_);
    const CallSite at = CallSite::of_id(site());
    TensorBase other = autograd::read_if(call.wants(0), other_, *this, call, "other");
    autograd::conjugate(other, at);
    TensorBase input = autograd::read_if(call.wants(1), input_, *this, call, "input");
    autograd::conjugate(input, at);
    if (call.wants(0)) call.set(0, ops::matmul_grad_input(g, other, input_shape_, at));
    if (call.wants(1))
      call.set(1, ops::matmul_grad_other(g, input, other_shape_, other_strides_, at));
  }
  autograd::SavedTensor other_;
  autograd::SavedTensor input_;
  DimVector input_shape_;
  DimVector other_shape_;
  DimVector other_strides_;
};

TensorBase matmul_batched(const TensorBase& input, const TensorBase& other, CallSite at) {
  Level* const level = TransformedInputs(input, other).batch_level();
  if (level == nullptr) return dispatch::matmul(input, other);
  const BatchCall call("matmul", level, at);
  return rules::matmul(call, input, other, at);
}

void matmul_tangents(const TensorBase& result, const TensorBase& input, const TensorBase& other,
                     CallSite at) {
  const TransformedInputs arguments(input, other);
  for_dual_levels(arguments, [&](Level& level) {
    TensorBase sum;
    if (const TensorBase input_t = tangent_of(input, level); input_t.defined()) {
      add_tangent(sum, ops::matmul(input_t, other, at), at);
    }
    if (const TensorBase other_t = tangent_of(other, level); other_t.defined()) {
      add_tangent(sum, ops::matmul(input, other_t, at), at);
    }
    give_tangent(result, arguments, level, std::move(sum), at);
  });
}

template <bool kTransformed>
EAGRE_INLINE TensorBase matmul_recorded(const TensorBase& input, const TensorBase& other,
                                        CallSite at) {
  thread_state.site = at;
  TensorBase result =
      kTransformed ? matmul_batched(input, other, at) : dispatch::matmul(input, other);
  if (autograd::should_record(input, other) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<MatmulNode>::adopt(new MatmulNode(2, at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(other);
    if (node->has_edge(1)) node->input_.save_input(input);
    node->input_shape_ = input.sizes();
    node->other_shape_ = other.sizes();
    node->other_strides_ = other.strides();
    autograd::Node::set_history_of_new(std::move(node), *result.impl());
  }
  if constexpr (kTransformed) matmul_tangents(result, input, other, at);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase matmul_transformed(const TensorBase& input, const TensorBase& other,
                                         CallSite at) {
  return matmul_recorded<true>(input, other, at);
}
}  // namespace

TensorBase matmul(const TensorBase& input, const TensorBase& other, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return matmul_transformed(input, other, at);
  return matmul_recorded<false>(input, other, at);
}

void matmul_out(const TensorBase& input, const TensorBase& other, const TensorBase& out,
                CallSite at) {
  autograd::run_out("matmul", "matmul()", out, at, [&] { dispatch::matmul_out(input, other, out); },
                    input, other);
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

namespace eagre::kernels::cpu {
using MatmulKernel = void(const TensorView&, const TensorView&, const TensorView&);
}  // namespace eagre::kernels::cpu

namespace eagre::kernels::cpu::avx2 {
MatmulKernel matmul_i32, matmul_i64, matmul_f16, matmul_bf16, matmul_f32, matmul_f64, matmul_c64,
    matmul_c128;
constexpr auto matmul_kernels =
    KernelTable<MatmulKernel>::of<int32_t, int64_t, Half, BFloat16, float, double, Complex<float>,
                                  Complex<double>>(matmul_i32, matmul_i64, matmul_f16, matmul_bf16,
                                                   matmul_f32, matmul_f64, matmul_c64, matmul_c128);
}  // namespace eagre::kernels::cpu::avx2

namespace eagre::kernels::cpu::avx512 {
MatmulKernel matmul_i32, matmul_i64, matmul_f16, matmul_bf16, matmul_f32, matmul_f64, matmul_c64,
    matmul_c128;
constexpr auto matmul_kernels =
    KernelTable<MatmulKernel>::of<int32_t, int64_t, Half, BFloat16, float, double, Complex<float>,
                                  Complex<double>>(matmul_i32, matmul_i64, matmul_f16, matmul_bf16,
                                                   matmul_f32, matmul_f64, matmul_c64, matmul_c128);
}  // namespace eagre::kernels::cpu::avx512

namespace eagre::kernels::cpu::baseline {
MatmulKernel matmul_i32, matmul_i64, matmul_f16, matmul_bf16, matmul_f32, matmul_f64, matmul_c64,
    matmul_c128;
constexpr auto matmul_kernels =
    KernelTable<MatmulKernel>::of<int32_t, int64_t, Half, BFloat16, float, double, Complex<float>,
                                  Complex<double>>(matmul_i32, matmul_i64, matmul_f16, matmul_bf16,
                                                   matmul_f32, matmul_f64, matmul_c64, matmul_c128);
}  // namespace eagre::kernels::cpu::baseline

namespace eagre::dispatch {

// ---- ops/linalg.yaml:3 ----
constinit OpEntry matmul_op{
    .name = "matmul",
    .signature = "matmul(Tensor,Tensor)->Tensor",
    .public_name = "matmul",
    .dtypes = dtypes::kIntegers | dtypes::kFloats | dtypes::kComplex | dtypes::kFloat8,
    .native = {kFloat16, kBFloat16},
    .cpu = {baseline::matmul_kernels, avx2::matmul_kernels, avx512::matmul_kernels}};
namespace {
TensorBase run_matmul(const TensorBase& input, const TensorBase& other,
                      const TensorBase* const* out) {
  OpEntry& entry = matmul_op;
  CommonDevice common(entry.public_name);
  common.add(input.get(entry.public_name, "input"), "input");
  common.add(other.get(entry.public_name, "other"), "other");
  const Device device = common.get();
  const DType compute = same_dtype(entry.public_name, {{input, "input"}, {other, "other"}});
  const DimVector sizes = meta::matmul(entry.public_name, input.get(), other.get());
  const DType result_dtype = compute;
  if (out != nullptr) { check_written_dtype(entry.public_name, result_dtype, *out[0]); }
  const Kernel kernel = select_kernel(entry, device, compute);
  if (device.is_meta()) return written_to(entry, out, allocate(sizes, result_dtype, device));
  if (kernel == nullptr)
    return written_to(
        entry, out,
        on_device(matmul(on_device(input, Device()), on_device(other, Device())), device));
  const DType inner = kernel_dtype(device, compute, entry.native);
  const ReadyTensor input_ready = prepare(input, device, inner, false);
  const ReadyTensor other_ready = prepare(other, device, inner, false);
  TensorBase result = out == nullptr ? allocate(sizes, inner, device)
      : out_memory(entry, *out[0], sizes, inner, result_dtype, device,
                   shared_with(*out[0], input_ready, other_ready));
  trace(entry, device, compute);
  if (device.is_cpu()) {
    as_in(baseline::matmul_kernels, kernel)(TensorView(result.get()), TensorView(input_ready.get()),
                                            TensorView(other_ready.get()));
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(input_ready);
    args.add(other_ready);
    args.call(entry, device, kernel);
  }
  check_values(entry, result.get());
  if (out != nullptr) {
    write_out(entry, *out[0], as_dtype(result, result_dtype));
    return result;
  }
  return as_dtype(std::move(result), result_dtype);
}
}  // namespace

TensorBase matmul(const TensorBase& input, const TensorBase& other) {
  return run_matmul(input, other, nullptr);
}
void matmul_out(const TensorBase& input, const TensorBase& other, const TensorBase& out) {
  const TensorBase* const targets[] = {&out};
  run_matmul(input, other, targets);
}

}  // namespace eagre::dispatch

// ======== python/linalg_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/matmul.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/linalg.yaml:3 ----
namespace {
namespace matmul_op {
constexpr Parameter kParameters[] = {
    {.name = "input", .aliases = "x a x1", .kind = ParameterKind::kTensor},
    {.name = "other", .aliases = "y x2", .kind = ParameterKind::kTensor},
    kOutParameter,
};
constexpr Signature kFunction{.op = "matmul", .parameters = {kParameters, 3}, .positional = 2};
constexpr Signature kMethod{.op = "matmul", .parameters = {kParameters, 2}, .positional = 2};

template <Form kForm>
PyObject* run(const Arguments& a) {
  if (kForm == Form::kNew && a.has(2)) return run<Form::kOut>(a);
  const TensorBase& input = a.tensor(0);
  const TensorBase& other = a.tensor(1);
  if constexpr (kForm == Form::kNew) {
    return run_and_wrap([&](CallSite at) { return ops::matmul(input, other, at); }, input, other);
  } else {
    const TensorVector targets = a.out(2, 1);
    return call_inplace_op(
        a[2], [&](CallSite at) { ops::matmul_out(input, other, targets[0], at); }, input, other);
  }
}
}  // namespace matmul_op
}  // namespace

PyObject* matmul_slot(PyObject* a, PyObject* b) {
  return tensor_slot(
      {"matmul", "__rmatmul__"}, a, b,
      [](const TensorBase& x, const TensorBase& y, CallSite at) { return ops::matmul(x, y, at); });
}

extern const PyMethodDef linalg_0_functions[] = {
    op_function<matmul_op::kFunction, matmul_op::run<Form::kNew>>(
        "matmul", "matmul(input, other, *, out=None)\n--\n\nThe matrix product. Vectors are rows on the left and columns on the right; dimensions before the\nlast two are batches and broadcast. Floating-point sums may differ in their last bits between\nprocessors, as those that can multiply and add with one rounding do.\n\n>>> eagre.matmul(eagre.tensor([[1., 2.], [3., 4.]]), eagre.tensor([1., 1.]))\ntensor([3., 7.])"),
    {}};

extern const PyMethodDef linalg_0_methods[] = {
    op_method<matmul_op::kMethod, matmul_op::run<Form::kNew>>(
        "matmul", "matmul($self, other)\n--\n\nThe matrix product. Vectors are rows on the left and columns on the right; dimensions before the\nlast two are batches and broadcast. Floating-point sums may differ in their last bits between\nprocessors, as those that can multiply and add with one rounding do.\n\n>>> eagre.matmul(eagre.tensor([[1., 2.], [3., 4.]]), eagre.tensor([1., 1.]))\ntensor([3., 7.])"),
    {}};

}  // namespace eagre::python
