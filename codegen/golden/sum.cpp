// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/sum.h
// sum: dispatch, and recording of the gradient. Generated from ops/reduction.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim,
                         std::optional<DType> dtype, CallSite at);
EAGRE_API void sum_out(const TensorBase& input, const OptionalDims& dim, bool keepdim,
                       std::optional<DType> dtype, const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== ops/reduction_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/conjugate.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/sum.h>
#include <eagre/dispatch/output.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/expand_reduced.h>
#include <eagre/ops/sum.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/reduction.yaml:3 ----
namespace {
class SumNode final : public autograd::Node {
 public:
  SumNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}
  std::string name() const override { return "SumBackward0"; }
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("dim", dim_);
    visitor.see("keepdim", keepdim_);
    visitor.see("self_sym_sizes", input_shape_);
  }
  void apply(autograd::BackwardCall& call) override {
    TensorBase& g = call.grad(0);
    if (!g.defined()) return;
    const CallSite at = CallSite::of_id(site());
    if (call.wants(0)) call.set(0, ops::expand_reduced(g, input_shape_, dim_.get(), keepdim_, at));
  }
  SavedDims dim_;
  bool keepdim_;
  DimVector input_shape_;
};

TensorBase sum_batched(const TensorBase& input, const OptionalDims& dim, bool keepdim,
                       std::optional<DType> dtype, CallSite at) {
  Level* const level = TransformedInputs(input).batch_level();
  if (level == nullptr) return dispatch::sum(input, dim, keepdim, dtype);
  const BatchCall call("sum", level, at);
  return call.result_along(
      ops::sum(call.along(input), Dims(call.dims(dim, input)), keepdim, dtype, at), input);
}

void sum_tangents(const TensorBase& result, const TensorBase& input, const OptionalDims& dim,
                  bool keepdim, std::optional<DType> dtype, CallSite at) {
  const TransformedInputs arguments(input);
  for_dual_levels(arguments, [&](Level& level) {
    give_tangent(result, arguments, level,
                 ops::sum(tangent_of(input, level), dim, keepdim, dtype, at), at);
  });
}

template <bool kTransformed>
EAGRE_INLINE TensorBase sum_recorded(const TensorBase& input, const OptionalDims& dim, bool keepdim,
                                     std::optional<DType> dtype, CallSite at) {
  thread_state.site = at;
  TensorBase result = kTransformed ? sum_batched(input, dim, keepdim, dtype, at) : dispatch::sum(
      input, dim, keepdim, dtype);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<SumNode>::adopt(new SumNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->dim_ = dim;
    node->keepdim_ = keepdim;
    node->input_shape_ = input.sizes();
    autograd::Node::set_history_of_new(std::move(node), *result.impl());
  }
  if constexpr (kTransformed) sum_tangents(result, input, dim, keepdim, dtype, at);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase sum_transformed(const TensorBase& input, const OptionalDims& dim,
                                      bool keepdim, std::optional<DType> dtype, CallSite at) {
  return sum_recorded<true>(input, dim, keepdim, dtype, at);
}
}  // namespace

TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim,
               std::optional<DType> dtype, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return sum_transformed(input, dim, keepdim, dtype, at);
  return sum_recorded<false>(input, dim, keepdim, dtype, at);
}

void sum_out(const TensorBase& input, const OptionalDims& dim, bool keepdim,
             std::optional<DType> dtype, const TensorBase& out, CallSite at) {
  autograd::run_out(
      "sum", "sum()", out, at,
      [&] { dispatch::sum_out(input, dim, keepdim, dispatch::dtype_of_out("sum", dtype, out), out);
            }, input);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/sum.h
// sum: dispatch to kernels, without recording. Generated from ops/reduction.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim,
               std::optional<DType> dtype);
void sum_out(const TensorBase& input, const OptionalDims& dim, bool keepdim,
             std::optional<DType> dtype, const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/reduction_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/sum.h>
#include <eagre/dispatch/structured.h>

namespace eagre::kernels::cpu::avx2 {
extern const KernelTable<void(const TensorView&, const TensorView&, const OptionalDims&,
                              bool)> sum_kernels;
}  // namespace eagre::kernels::cpu::avx2

namespace eagre::kernels::cpu::avx512 {
extern const KernelTable<void(const TensorView&, const TensorView&, const OptionalDims&,
                              bool)> sum_kernels;
}  // namespace eagre::kernels::cpu::avx512

namespace eagre::kernels::cpu::baseline {
extern const KernelTable<void(const TensorView&, const TensorView&, const OptionalDims&,
                              bool)> sum_kernels;
}  // namespace eagre::kernels::cpu::baseline

namespace eagre::dispatch {

// ---- ops/reduction.yaml:3 ----
constinit OpEntry sum_op{
    .name = "sum",
    .signature = "sum(Tensor,int[]?,bool)->Tensor",
    .public_name = "sum",
    .dtypes = DTypeSet{kBool} | dtypes::kIntegers | dtypes::kFloats | dtypes::kComplex,
    .cpu = {baseline::sum_kernels, avx2::sum_kernels, avx512::sum_kernels}};
namespace {
TensorBase run_sum(const TensorBase& input, const OptionalDims& dim, bool keepdim,
                   std::optional<DType> dtype, const TensorBase* const* out) {
  OpEntry& entry = sum_op;
  CommonDevice common(entry.public_name);
  common.add(input.get(entry.public_name, "input"), "input");
  const Device device = common.get();
  const DType compute = dtype.value_or(accumulate_dtype(input.dtype()));
  const DimVector sizes = meta::reduced(entry.public_name, input.get(), dim, keepdim);
  const DType result_dtype = compute;
  const Kernel kernel = select_kernel(entry, device, compute);
  if (device.is_meta()) return written_to(entry, out, allocate(sizes, result_dtype, device));
  if (kernel == nullptr)
    return written_to(entry, out,
                      on_device(sum(on_device(input, Device()), dim, keepdim, dtype), device));
  const DType inner = kernel_dtype(device, compute, entry.native);
  const ReadyTensor input_ready = prepare(input, device, inner, false);
  TensorBase result = out == nullptr ? allocate(sizes, inner, device)
      : out_memory(entry, *out[0], sizes, inner, result_dtype, device,
                   shared_with(*out[0], input_ready));
  trace(entry, device, compute);
  if (device.is_cpu()) {
    as_in(baseline::sum_kernels, kernel)(TensorView(result.get()), TensorView(input_ready.get()),
                                         dim, keepdim);
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
    write_out(entry, *out[0], as_dtype(result, result_dtype));
    return result;
  }
  return as_dtype(std::move(result), result_dtype);
}
}  // namespace

TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim,
               std::optional<DType> dtype) {
  return run_sum(input, dim, keepdim, dtype, nullptr);
}
void sum_out(const TensorBase& input, const OptionalDims& dim, bool keepdim,
             std::optional<DType> dtype, const TensorBase& out) {
  const TensorBase* const targets[] = {&out};
  run_sum(input, dim, keepdim, dtype, targets);
}

}  // namespace eagre::dispatch

// ======== kernels/isa/sum.cpp
// The kernel 'sum' for every dtype. Generated from ops/reduction.yaml:3; do not edit.
#include <eagre/kernels/cpu/kernel_table.h>
#include <eagre/kernels/cpu/isa/reduce.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
using Kernels = KernelTable<void(const TensorView&, const TensorView&, const OptionalDims&, bool)>;
extern constinit const Kernels sum_kernels =
    Kernels::each<bool, int32_t, int64_t, float, double, Complex<float>, Complex<double>>(
        []<class T>() -> Kernels::Always<T>* { return &reduce<scalar::Sum, T>; });
}  // namespace eagre::kernels::cpu::EAGRE_ISA

// ======== python/reduction_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/sum.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/reduction.yaml:3 ----
namespace {
namespace sum_op {
constexpr Parameter kParameters[] = {
    {.name = "input", .aliases = "x a x1", .kind = ParameterKind::kTensor},
    {.name = "dim", .aliases = "axis", .required = false, .kind = ParameterKind::kIntegerOrIntegers,
     .may_be_none = true},
    {.name = "keepdim", .aliases = "keepdims", .required = false, .kind = ParameterKind::kBool},
    {.name = "dtype", .required = false, .kind = ParameterKind::kDType, .may_be_none = true},
    kOutParameter,
};
constexpr Signature kFunction{.op = "sum", .parameters = {kParameters, 5}, .positional = 3};
constexpr Signature kMethod{.op = "sum", .parameters = {kParameters, 4}, .positional = 3};

template <Form kForm>
PyObject* run(const Arguments& a) {
  if (kForm == Form::kNew && a.has(4)) return run<Form::kOut>(a);
  const TensorBase& input = a.tensor(0);
  const IntsArgument dim = a.optional_ints(1);
  const bool keepdim = a.boolean(2, false);
  const std::optional<DType> dtype = a.optional_dtype(3);
  if constexpr (kForm == Form::kNew) {
    return run_and_wrap([&](CallSite at) { return ops::sum(input, dim, keepdim, dtype, at); },
                        input);
  } else {
    const TensorVector targets = a.out(4, 1);
    return call_inplace_op(
        a[4], [&](CallSite at) { ops::sum_out(input, dim, keepdim, dtype, targets[0], at); },
        input);
  }
}
}  // namespace sum_op
}  // namespace

extern const PyMethodDef reduction_0_functions[] = {
    op_function<sum_op::kFunction, sum_op::run<Form::kNew>>(
        "sum", "sum(input, dim=None, keepdim=False, *, dtype=None, out=None)\n--\n\nThe sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64.\n\n>>> eagre.sum(eagre.tensor([[1., 2.], [3., 4.]]), 0)\ntensor([4., 6.])"),
    {}};

extern const PyMethodDef reduction_0_methods[] = {
    op_method<sum_op::kMethod, sum_op::run<Form::kNew>>(
        "sum", "sum($self, dim=None, keepdim=False, *, dtype=None)\n--\n\nThe sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64.\n\n>>> eagre.sum(eagre.tensor([[1., 2.], [3., 4.]]), 0)\ntensor([4., 6.])"),
    {}};

}  // namespace eagre::python
