// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/rsqrt.h
// rsqrt: dispatch, and recording of the gradient. Generated from ops/unary.yaml:308; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase rsqrt(const TensorBase& input, CallSite at);
EAGRE_API void rsqrt_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/rsqrt.cpp
// rsqrt: recording. Generated from ops/unary.yaml:308; do not edit.
#include <eagre/autograd/ops/rsqrt.h>

#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/rsqrt.h>

namespace eagre::ops {
namespace {

class RsqrtNode final : public autograd::Node {
 public:
  explicit RsqrtNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "RsqrtBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor result_;
};

void RsqrtNode::apply(autograd::BackwardCall& call) {
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
  if (call.wants(0)) call.set(0, ops::mul(ops::mul(ops::mul(ops::mul(g, result, at), result, at), result, at), -0.5, at));
}

}  // namespace

TensorBase rsqrt(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::rsqrt(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<RsqrtNode>::adopt(new RsqrtNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->result_.save_output(result);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void rsqrt_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<RsqrtNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("rsqrt_", input);
    node = IntrusivePtr<RsqrtNode>::adopt(new RsqrtNode(at.intern()));
    autograd::connect(*node, 0, input);
  }
  dispatch::rsqrt_(input);
  autograd::note_write(input, "rsqrt_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
    if (node->has_edge(0)) node->result_.save_output(input);
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/rsqrt.h
// rsqrt: dispatch to kernels, without recording. Generated from ops/unary.yaml:308; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase rsqrt(const TensorBase& input);
void rsqrt_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/rsqrt.cpp
// rsqrt: dispatch to kernels. Generated from ops/unary.yaml:308; do not edit.
#include <eagre/dispatch/ops/rsqrt.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void rsqrt_f32(char* const*, const int64_t*, int64_t, const void*);
void rsqrt_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void rsqrt_f32(char* const*, const int64_t*, int64_t, const void*);
void rsqrt_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void rsqrt_f32(char* const*, const int64_t*, int64_t, const void*);
void rsqrt_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::rsqrt_f32,
     &kernels::cpu::baseline::rsqrt_f32,
     &kernels::cpu::baseline::rsqrt_f32,
     &kernels::cpu::baseline::rsqrt_f64},
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
     &kernels::cpu::baseline::rsqrt_f32,
     &kernels::cpu::baseline::rsqrt_f64}};
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
     &kernels::cpu::avx2::rsqrt_f32,
     &kernels::cpu::avx2::rsqrt_f32,
     &kernels::cpu::avx2::rsqrt_f32,
     &kernels::cpu::avx2::rsqrt_f64},
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
     &kernels::cpu::avx2::rsqrt_f32,
     &kernels::cpu::avx2::rsqrt_f64}};
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
     &kernels::cpu::avx512::rsqrt_f32,
     &kernels::cpu::avx512::rsqrt_f32,
     &kernels::cpu::avx512::rsqrt_f32,
     &kernels::cpu::avx512::rsqrt_f64},
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
     &kernels::cpu::avx512::rsqrt_f32,
     &kernels::cpu::avx512::rsqrt_f64}};
constinit PointwiseOp op{{"rsqrt", "rsqrt(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, false, 0, {"input"}, {}};
}  // namespace

OpEntry& rsqrt_entry = op.entry;

TensorBase rsqrt(const TensorBase& input) {
  return unary(op, input);
}

void rsqrt_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/rsqrt.cpp
// Loops of the pointwise kernel 'rsqrt'. Generated from ops/unary.yaml:308; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/rsqrt.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::rsqrt(a);
  });
}

}  // namespace

void rsqrt_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void rsqrt_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
