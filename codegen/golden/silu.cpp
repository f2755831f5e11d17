// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/silu.h
// silu: dispatch, and recording of the gradient. Generated from ops/unary.yaml:555; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase silu(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/silu.cpp
// silu: recording. Generated from ops/unary.yaml:555; do not edit.
#include <eagre/autograd/ops/silu.h>

#include <eagre/autograd/ops/silu_grad.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/silu.h>

namespace eagre::ops {
namespace {

class SiluNode final : public autograd::Node {
 public:
  explicit SiluNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "SiluBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor input_;
};

void SiluNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    input_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase input;
  if (call.wants(0)) {
    input = input_.read(*this, call, "input");
  } else {
    input_.skip(call);
  }
  if (call.wants(0)) call.set(0, ops::silu_grad(g, input, at));
}

}  // namespace

TensorBase silu(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::silu(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SiluNode>::adopt(new SiluNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/silu.h
// silu: dispatch to kernels, without recording. Generated from ops/unary.yaml:555; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase silu(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/silu.cpp
// silu: dispatch to kernels. Generated from ops/unary.yaml:555; do not edit.
#include <eagre/dispatch/ops/silu.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void silu_f32(char* const*, const int64_t*, int64_t, const void*);
void silu_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void silu_f32(char* const*, const int64_t*, int64_t, const void*);
void silu_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void silu_f32(char* const*, const int64_t*, int64_t, const void*);
void silu_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::silu_f32,
     &kernels::cpu::baseline::silu_f32,
     &kernels::cpu::baseline::silu_f32,
     &kernels::cpu::baseline::silu_f64},
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
     &kernels::cpu::baseline::silu_f32,
     &kernels::cpu::baseline::silu_f64}};
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
     &kernels::cpu::avx2::silu_f32,
     &kernels::cpu::avx2::silu_f32,
     &kernels::cpu::avx2::silu_f32,
     &kernels::cpu::avx2::silu_f64},
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
     &kernels::cpu::avx2::silu_f32,
     &kernels::cpu::avx2::silu_f64}};
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
     &kernels::cpu::avx512::silu_f32,
     &kernels::cpu::avx512::silu_f32,
     &kernels::cpu::avx512::silu_f32,
     &kernels::cpu::avx512::silu_f64},
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
     &kernels::cpu::avx512::silu_f32,
     &kernels::cpu::avx512::silu_f64}};
constinit PointwiseOp op{{"silu", "silu(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"input"}, {}};
}  // namespace

OpEntry& silu_entry = op.entry;

TensorBase silu(const TensorBase& input) {
  return unary(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/silu.cpp
// Loops of the pointwise kernel 'silu'. Generated from ops/unary.yaml:555; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/silu.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::silu(a);
  });
}

}  // namespace

void silu_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void silu_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
