// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/sigmoid_grad.h
// sigmoid_grad: dispatch, and recording of the gradient. Generated from ops/unary.yaml:645; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase sigmoid_grad(const TensorBase& grad, const TensorBase& output, CallSite at);

}  // namespace eagre::ops

// ======== autograd/sigmoid_grad.cpp
// sigmoid_grad: recording. Generated from ops/unary.yaml:645; do not edit.
#include <eagre/autograd/ops/sigmoid_grad.h>

#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/rsub.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/sigmoid_grad.h>

namespace eagre::ops {
namespace {

class SigmoidGradNode final : public autograd::Node {
 public:
  explicit SigmoidGradNode(uint32_t site) : Node(2, site) {}

  std::string_view name() const override { return "SigmoidGradBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor output_;
  autograd::SavedTensor grad_;
};

void SigmoidGradNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    output_.skip(call);
    grad_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase output;
  if (call.wants(0) || call.wants(1)) {
    output = output_.read(*this, call, "output");
  } else {
    output_.skip(call);
  }
  TensorBase grad;
  if (call.wants(1)) {
    grad = grad_.read(*this, call, "grad");
  } else {
    grad_.skip(call);
  }
  if (call.wants(0)) call.set(0, ops::sigmoid_grad(g, output, at));
  if (call.wants(1)) call.set(1, ops::mul(ops::mul(g, grad, at), ops::rsub(output, 1, 2, at), at));
}

}  // namespace

TensorBase sigmoid_grad(const TensorBase& grad, const TensorBase& output, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::sigmoid_grad(grad, output);
  if (autograd::should_record(grad, output) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SigmoidGradNode>::adopt(new SigmoidGradNode(at.intern()));
    autograd::connect(*node, 0, grad);
    autograd::connect(*node, 1, output);
    if (node->has_edge(0) || node->has_edge(1)) node->output_.save_input(output);
    if (node->has_edge(1)) node->grad_.save_input(grad);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/sigmoid_grad.h
// sigmoid_grad: dispatch to kernels, without recording. Generated from ops/unary.yaml:645; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase sigmoid_grad(const TensorBase& grad, const TensorBase& output);

}  // namespace eagre::dispatch

// ======== dispatch/sigmoid_grad.cpp
// sigmoid_grad: dispatch to kernels. Generated from ops/unary.yaml:645; do not edit.
#include <eagre/dispatch/ops/sigmoid_grad.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void sigmoid_grad_f32(char* const*, const int64_t*, int64_t, const void*);
void sigmoid_grad_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void sigmoid_grad_f32(char* const*, const int64_t*, int64_t, const void*);
void sigmoid_grad_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void sigmoid_grad_f32(char* const*, const int64_t*, int64_t, const void*);
void sigmoid_grad_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::sigmoid_grad_f32,
     &kernels::cpu::baseline::sigmoid_grad_f32,
     &kernels::cpu::baseline::sigmoid_grad_f32,
     &kernels::cpu::baseline::sigmoid_grad_f64},
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
     &kernels::cpu::baseline::sigmoid_grad_f32,
     &kernels::cpu::baseline::sigmoid_grad_f64}};
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
     &kernels::cpu::avx2::sigmoid_grad_f32,
     &kernels::cpu::avx2::sigmoid_grad_f32,
     &kernels::cpu::avx2::sigmoid_grad_f32,
     &kernels::cpu::avx2::sigmoid_grad_f64},
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
     &kernels::cpu::avx2::sigmoid_grad_f32,
     &kernels::cpu::avx2::sigmoid_grad_f64}};
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
     &kernels::cpu::avx512::sigmoid_grad_f32,
     &kernels::cpu::avx512::sigmoid_grad_f32,
     &kernels::cpu::avx512::sigmoid_grad_f32,
     &kernels::cpu::avx512::sigmoid_grad_f64},
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
     &kernels::cpu::avx512::sigmoid_grad_f32,
     &kernels::cpu::avx512::sigmoid_grad_f64}};
constinit PointwiseOp op{{"sigmoid_grad", "sigmoid_grad(Tensor,Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"grad", "output"}, {}};
}  // namespace

OpEntry& sigmoid_grad_entry = op.entry;

TensorBase sigmoid_grad(const TensorBase& grad, const TensorBase& output) {
  return binary(op, grad, output);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/sigmoid_grad.cpp
// Loops of the pointwise kernel 'sigmoid_grad'. Generated from ops/unary.yaml:645; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/sigmoid_grad.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  binary_loop<T>(data, strides, n, [](T a, T b) {
    return scalar::sigmoid_grad(a, b);
  });
}

}  // namespace

void sigmoid_grad_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void sigmoid_grad_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
