// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/cast.h
// cast: dispatch, and recording of the gradient. Generated from ops/copy.yaml:50; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase cast(const TensorBase& input, DType dtype, CallSite at);

}  // namespace eagre::ops

// ======== ops/copy_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/conjugate.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/cast.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/cast.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/copy.yaml:50 ----
namespace {
class CastNode final : public autograd::Node {
 public:
  CastNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}
  std::string name() const override { return "ToCopyBackward0"; }
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("self_dtype", input_dtype_);
  }
  void apply(autograd::BackwardCall& call) override {
    TensorBase& g = call.grad(0);
    if (!g.defined()) return;
    const CallSite at = CallSite::of_id(site());
    if (call.wants(0)) call.set(0, ops::cast(g, input_dtype_, at));
  }
  DType input_dtype_;
};

TensorBase cast_batched(const TensorBase& input, DType dtype, CallSite at) {
  Level* const level = TransformedInputs(input).batch_level();
  if (level == nullptr) return dispatch::cast(input, dtype);
  const BatchCall call("cast", level, at);
  return call.result(ops::cast(call.first(input), dtype, at));
}

void cast_tangents(const TensorBase& result, const TensorBase& input, DType dtype, CallSite at) {
  const TransformedInputs arguments(input);
  for_dual_levels(arguments, [&](Level& level) {
    TensorBase sum;
    if (const TensorBase input_t = tangent_of(input, level); input_t.defined()) {
      add_tangent(sum, ops::cast(input_t, dtype, at), at);
    }
    give_tangent(result, arguments, level, std::move(sum), at);
  });
}

template <bool kTransformed>
EAGRE_INLINE TensorBase cast_recorded(const TensorBase& input, DType dtype, CallSite at) {
  thread_state.site = at;
  TensorBase result = kTransformed ? cast_batched(input, dtype, at) : dispatch::cast(input, dtype);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<CastNode>::adopt(new CastNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->input_dtype_ = input.dtype();
    autograd::Node::set_history_of_new(std::move(node), *result.impl());
  }
  if constexpr (kTransformed) cast_tangents(result, input, dtype, at);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase cast_transformed(const TensorBase& input, DType dtype, CallSite at) {
  return cast_recorded<true>(input, dtype, at);
}
}  // namespace

TensorBase cast(const TensorBase& input, DType dtype, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return cast_transformed(input, dtype, at);
  return cast_recorded<false>(input, dtype, at);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/cast.h
// cast: dispatch to kernels, without recording. Generated from ops/copy.yaml:50; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase cast(const TensorBase& input, DType dtype);

}  // namespace eagre::dispatch

// ======== dispatch/copy_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/cast.h>
#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu::avx2 {
extern const PointwiseKernels identity_kernels;
}  // namespace eagre::kernels::cpu::avx2

namespace eagre::kernels::cpu::avx512 {
extern const PointwiseKernels identity_kernels;
}  // namespace eagre::kernels::cpu::avx512

namespace eagre::kernels::cpu::baseline {
extern const PointwiseKernels identity_kernels;
}  // namespace eagre::kernels::cpu::baseline

namespace eagre::dispatch {

// ---- ops/copy.yaml:50 ----
constinit PointwiseOp cast_op{
    .entry = {.name = "cast",
              .signature = "cast(Tensor,dtype)->Tensor",
              .public_name = "cast",
              .dtypes = dtypes::kAll,
              .native = dtypes::kAll,
              .cpu =
                  {baseline::identity_kernels, avx2::identity_kernels, avx512::identity_kernels}},
    .compute = ComputeRule::kArgument,
    .result = ResultRule::kCompute,
    .input_names = {"input"}};
TensorBase cast(const TensorBase& input, DType dtype) {
  return unary(cast_op, input, nullptr, dtype);
}

}  // namespace eagre::dispatch

// ======== kernels/isa/identity.cpp
// Loops of the pointwise kernel 'identity'. Generated from ops/copy.yaml:50; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/kernel_table.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/copy.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {
template <class T>
void identity_loop(char* const* data, const int64_t* strides, int64_t n, const void*) {
  unary_loop<T, T>(data, strides, n, [](T a) { return scalar::identity(a); });
}
}  // namespace

extern constinit const PointwiseKernels identity_kernels =
    PointwiseKernels::each<bool, uint8_t, int8_t, int16_t, int32_t, int64_t, uint16_t, uint32_t,
                           uint64_t, Half, BFloat16, float, double, Complex<float>, Complex<double>,
                           Float8_e4m3fn, Float8_e5m2, Complex<Half>>(
                               []<class T>() ->
                               PointwiseKernels::Always<T>* { return &identity_loop<T>; });
}  // namespace eagre::kernels::cpu::EAGRE_ISA
