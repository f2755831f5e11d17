// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/silu_grad.h
// silu_grad: dispatch, and recording of the gradient. Generated from ops/unary.yaml:677; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase silu_grad(const TensorBase& grad, const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/silu_grad.cpp
// silu_grad: recording. Generated from ops/unary.yaml:677; do not edit.
#include <eagre/autograd/ops/silu_grad.h>

#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/rsub.h>
#include <eagre/autograd/ops/sigmoid.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/silu_grad.h>

namespace eagre::ops {
namespace {

class SiluGradNode final : public autograd::Node {
 public:
  explicit SiluGradNode(uint32_t site) : Node(2, site) {}

  std::string_view name() const override { return "SiluGradBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor input_;
  autograd::SavedTensor grad_;
};

void SiluGradNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    input_.skip(call);
    grad_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase input;
  if (call.wants(0) || call.wants(1)) {
    input = input_.read(*this, call, "input");
  } else {
    input_.skip(call);
  }
  TensorBase grad;
  if (call.wants(1)) {
    grad = grad_.read(*this, call, "grad");
  } else {
    grad_.skip(call);
  }
  if (call.wants(0)) call.set(0, ops::silu_grad(g, input, at));
  if (call.wants(1)) call.set(1, ops::mul(ops::mul(ops::mul(ops::mul(g, grad, at), ops::sigmoid(input, at), at), ops::rsub(ops::sigmoid(input, at), 1, 1, at), at), ops::add(ops::mul(input, ops::rsub(ops::sigmoid(input, at), 1, 2, at), at), 2, 1, at), at));
}

}  // namespace

TensorBase silu_grad(const TensorBase& grad, const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::silu_grad(grad, input);
  if (autograd::should_record(grad, input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SiluGradNode>::adopt(new SiluGradNode(at.intern()));
    autograd::connect(*node, 0, grad);
    autograd::connect(*node, 1, input);
    if (node->has_edge(0) || node->has_edge(1)) node->input_.save_input(input);
    if (node->has_edge(1)) node->grad_.save_input(grad);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/silu_grad.h
// silu_grad: dispatch to kernels, without recording. Generated from ops/unary.yaml:677; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase silu_grad(const TensorBase& grad, const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/silu_grad.cpp
// silu_grad: dispatch to kernels. Generated from ops/unary.yaml:677; do not edit.
#include <eagre/dispatch/ops/silu_grad.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void silu_grad_f32(char* const*, const int64_t*, int64_t, const void*);
void silu_grad_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void silu_grad_f32(char* const*, const int64_t*, int64_t, const void*);
void silu_grad_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void silu_grad_f32(char* const*, const int64_t*, int64_t, const void*);
void silu_grad_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::silu_grad_f32,
     &kernels::cpu::baseline::silu_grad_f32,
     &kernels::cpu::baseline::silu_grad_f32,
     &kernels::cpu::baseline::silu_grad_f64},
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
     &kernels::cpu::baseline::silu_grad_f32,
     &kernels::cpu::baseline::silu_grad_f64}};
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
     &kernels::cpu::avx2::silu_grad_f32,
     &kernels::cpu::avx2::silu_grad_f32,
     &kernels::cpu::avx2::silu_grad_f32,
     &kernels::cpu::avx2::silu_grad_f64},
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
     &kernels::cpu::avx2::silu_grad_f32,
     &kernels::cpu::avx2::silu_grad_f64}};
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
     &kernels::cpu::avx512::silu_grad_f32,
     &kernels::cpu::avx512::silu_grad_f32,
     &kernels::cpu::avx512::silu_grad_f32,
     &kernels::cpu::avx512::silu_grad_f64},
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
     &kernels::cpu::avx512::silu_grad_f32,
     &kernels::cpu::avx512::silu_grad_f64}};
constinit PointwiseOp op{{"silu_grad", "silu_grad(Tensor,Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"grad", "input"}, {}};
}  // namespace

OpEntry& silu_grad_entry = op.entry;

TensorBase silu_grad(const TensorBase& grad, const TensorBase& input) {
  return binary(op, grad, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/silu_grad.cpp
// Loops of the pointwise kernel 'silu_grad'. Generated from ops/unary.yaml:677; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/silu_grad.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  binary_loop<T>(data, strides, n, [](T a, T b) {
    return scalar::silu_grad(a, b);
  });
}

}  // namespace

void silu_grad_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void silu_grad_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
