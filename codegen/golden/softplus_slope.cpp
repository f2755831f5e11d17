// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/softplus_slope.h
// softplus_slope: dispatch, and recording of the gradient. Generated from ops/unary.yaml:614; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase softplus_slope(const TensorBase& input, const Scalar& beta, const Scalar& threshold, CallSite at);

}  // namespace eagre::ops

// ======== autograd/softplus_slope.cpp
// softplus_slope: recording. Generated from ops/unary.yaml:614; do not edit.
#include <eagre/autograd/ops/softplus_slope.h>

#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/ops/sigmoid_grad.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/softplus_slope.h>

namespace eagre::ops {
namespace {

class SoftplusSlopeNode final : public autograd::Node {
 public:
  explicit SoftplusSlopeNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "SoftplusSlopeBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor result_;
  Scalar beta_;
};

void SoftplusSlopeNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    result_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase result;
  if (call.wants(0)) {
    result = result_.read(*this, call, "result");
  } else {
    result_.skip(call);
  }
  if (call.wants(0)) call.set(0, ops::scale(ops::sigmoid_grad(g, result, at), beta_, at));
}

}  // namespace

TensorBase softplus_slope(const TensorBase& input, const Scalar& beta, const Scalar& threshold, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::softplus_slope(input, beta, threshold);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SoftplusSlopeNode>::adopt(new SoftplusSlopeNode(at.intern()));
    autograd::connect(*node, 0, input);
    node->beta_ = beta;
    if (node->has_edge(0)) node->result_.save_output(result);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/softplus_slope.h
// softplus_slope: dispatch to kernels, without recording. Generated from ops/unary.yaml:614; do not edit.
#pragma once

#include <optional>

#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase softplus_slope(const TensorBase& input, const Scalar& beta, const Scalar& threshold);

}  // namespace eagre::dispatch

// ======== dispatch/softplus_slope.cpp
// softplus_slope: dispatch to kernels. Generated from ops/unary.yaml:614; do not edit.
#include <eagre/dispatch/ops/softplus_slope.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void softplus_slope_f32(char* const*, const int64_t*, int64_t, const void*);
void softplus_slope_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void softplus_slope_f32(char* const*, const int64_t*, int64_t, const void*);
void softplus_slope_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void softplus_slope_f32(char* const*, const int64_t*, int64_t, const void*);
void softplus_slope_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::softplus_slope_f32,
     &kernels::cpu::baseline::softplus_slope_f32,
     &kernels::cpu::baseline::softplus_slope_f32,
     &kernels::cpu::baseline::softplus_slope_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::softplus_slope_f32,
     &kernels::cpu::baseline::softplus_slope_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::softplus_slope_f32,
     &kernels::cpu::avx2::softplus_slope_f32,
     &kernels::cpu::avx2::softplus_slope_f32,
     &kernels::cpu::avx2::softplus_slope_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::softplus_slope_f32,
     &kernels::cpu::avx2::softplus_slope_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::softplus_slope_f32,
     &kernels::cpu::avx512::softplus_slope_f32,
     &kernels::cpu::avx512::softplus_slope_f32,
     &kernels::cpu::avx512::softplus_slope_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::softplus_slope_f32,
     &kernels::cpu::avx512::softplus_slope_f64}};
constinit PointwiseOp op{{"softplus_slope", "softplus_slope(Tensor,Scalar,Scalar)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 2, {"input"}, {"beta", "threshold"}};
}  // namespace

OpEntry& softplus_slope_entry = op.entry;

TensorBase softplus_slope(const TensorBase& input, const Scalar& beta, const Scalar& threshold) {
  const Scalar attributes[] = {beta, threshold};
  return unary(op, input, attributes);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/softplus_slope.cpp
// Loops of the pointwise kernel 'softplus_slope'. Generated from ops/unary.yaml:614; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/softplus_slope.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  const T attribute_0 = attribute<T>(attributes, 0);
  const T attribute_1 = attribute<T>(attributes, 1);
  unary_loop<T>(data, strides, n, [=](T a) {
    return scalar::softplus_slope(a, attribute_0, attribute_1);
  });
}

}  // namespace

void softplus_slope_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void softplus_slope_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
