// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/sum.h
// sum: dispatch, and recording of the gradient. Generated from ops/reduction.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, CallSite at);

}  // namespace eagre::ops

// ======== autograd/sum.cpp
// sum: recording. Generated from ops/reduction.yaml:3; do not edit.
#include <eagre/autograd/ops/sum.h>

#include <eagre/autograd/ops/expand_reduced.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/sum.h>

namespace eagre::ops {
namespace {

class SumNode final : public autograd::Node {
 public:
  explicit SumNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "SumBackward0"; }
  void apply(autograd::BackwardCall& call) override;

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

TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::sum(input, dim, keepdim, dtype);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SumNode>::adopt(new SumNode(at.intern()));
    autograd::connect(*node, 0, input);
    node->dim_ = dim;
    node->keepdim_ = keepdim;
    node->input_shape_ = input.sizes();
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/sum.h
// sum: dispatch to kernels, without recording. Generated from ops/reduction.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype);

}  // namespace eagre::dispatch

// ======== dispatch/sum.cpp
// sum: dispatch to kernels. Generated from ops/reduction.yaml:3; do not edit.
#include <eagre/dispatch/ops/sum.h>

#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/structured.h>

namespace eagre::kernels::cpu {
namespace baseline {
void sum_i32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_i64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f64(const TensorView&, const TensorView&, const OptionalDims&, bool);
}  // namespace baseline
namespace avx2 {
void sum_i32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_i64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f64(const TensorView&, const TensorView&, const OptionalDims&, bool);
}  // namespace avx2
namespace avx512 {
void sum_i32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_i64(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f32(const TensorView&, const TensorView&, const OptionalDims&, bool);
void sum_f64(const TensorView&, const TensorView&, const OptionalDims&, bool);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(const TensorView&, const TensorView&, const OptionalDims&, bool);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
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
     &kernels::cpu::baseline::sum_f64},
    {nullptr,
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
     &kernels::cpu::baseline::sum_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
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
     &kernels::cpu::avx2::sum_f64},
    {nullptr,
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
     &kernels::cpu::avx2::sum_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
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
     &kernels::cpu::avx512::sum_f64},
    {nullptr,
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
     &kernels::cpu::avx512::sum_f64}};
constinit OpEntry entry{"sum", "sum(Tensor,int[]?,bool,dtype?)->Tensor", {&kBaseline, &kAvx2, &kAvx512}};
}  // namespace

OpEntry& sum_entry = entry;

TensorBase sum(const TensorBase& input, const OptionalDims& dim, bool keepdim, std::optional<DType> dtype) {
  CommonDevice common(entry.name);
  common.add(input.get(), "input");
  const Device device = common.get();
  const DType compute = dtype.value_or(accumulate_dtype(input.dtype()));
  const DimVector sizes = meta::sum(entry.name, input.get(), dim, keepdim);
  const Kernel kernel = select_kernel(entry, device, compute);
  const DType inner = kernel_dtype(device, compute);
  if (kernel == nullptr) return on_device(sum(on_device(input, Device()), dim, keepdim, dtype), device);
  const TensorBase input_ready = prepare(input, device, inner);
  TensorBase result = allocate(sizes, inner, device);
  if (device.is_cpu()) {
    reinterpret_cast<Function*>(kernel)(TensorView(result.get()), TensorView(input_ready.get()), dim, keepdim);
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(input_ready.get());
    args.add(dim);
    args.add(keepdim);
    args.call(entry, device, kernel);
  }
  return as_dtype(result, compute);
}

}  // namespace eagre::dispatch
