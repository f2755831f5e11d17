// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/relu.h
// relu: dispatch, and recording of the gradient. Generated from ops/unary.yaml:536; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase relu(const TensorBase& input, CallSite at);
EAGRE_API void relu_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/relu.cpp
// relu: recording. Generated from ops/unary.yaml:536; do not edit.
#include <eagre/autograd/ops/relu.h>

#include <eagre/autograd/ops/relu_grad.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/relu.h>

namespace eagre::ops {
namespace {

class ReluNode final : public autograd::Node {
 public:
  explicit ReluNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "ReluBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor result_;
};

void ReluNode::apply(autograd::BackwardCall& call) {
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
  if (call.wants(0)) call.set(0, ops::relu_grad(g, result, at));
}

}  // namespace

TensorBase relu(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::relu(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<ReluNode>::adopt(new ReluNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->result_.save_output(result);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void relu_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<ReluNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("relu_", input);
    node = IntrusivePtr<ReluNode>::adopt(new ReluNode(at.intern()));
    autograd::connect(*node, 0, input);
  }
  dispatch::relu_(input);
  autograd::note_write(input, "relu_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
    if (node->has_edge(0)) node->result_.save_output(input);
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/relu.h
// relu: dispatch to kernels, without recording. Generated from ops/unary.yaml:536; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase relu(const TensorBase& input);
void relu_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/relu.cpp
// relu: dispatch to kernels. Generated from ops/unary.yaml:536; do not edit.
#include <eagre/dispatch/ops/relu.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void relu_i32(char* const*, const int64_t*, int64_t, const void*);
void relu_i64(char* const*, const int64_t*, int64_t, const void*);
void relu_f32(char* const*, const int64_t*, int64_t, const void*);
void relu_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void relu_i32(char* const*, const int64_t*, int64_t, const void*);
void relu_i64(char* const*, const int64_t*, int64_t, const void*);
void relu_f32(char* const*, const int64_t*, int64_t, const void*);
void relu_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void relu_i32(char* const*, const int64_t*, int64_t, const void*);
void relu_i64(char* const*, const int64_t*, int64_t, const void*);
void relu_f32(char* const*, const int64_t*, int64_t, const void*);
void relu_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     &kernels::cpu::baseline::relu_i32,
     &kernels::cpu::baseline::relu_i32,
     &kernels::cpu::baseline::relu_i32,
     &kernels::cpu::baseline::relu_i32,
     &kernels::cpu::baseline::relu_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::relu_f32,
     &kernels::cpu::baseline::relu_f32,
     &kernels::cpu::baseline::relu_f32,
     &kernels::cpu::baseline::relu_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::relu_i32,
     &kernels::cpu::baseline::relu_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::relu_f32,
     &kernels::cpu::baseline::relu_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     &kernels::cpu::avx2::relu_i32,
     &kernels::cpu::avx2::relu_i32,
     &kernels::cpu::avx2::relu_i32,
     &kernels::cpu::avx2::relu_i32,
     &kernels::cpu::avx2::relu_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::relu_f32,
     &kernels::cpu::avx2::relu_f32,
     &kernels::cpu::avx2::relu_f32,
     &kernels::cpu::avx2::relu_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::relu_i32,
     &kernels::cpu::avx2::relu_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::relu_f32,
     &kernels::cpu::avx2::relu_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     &kernels::cpu::avx512::relu_i32,
     &kernels::cpu::avx512::relu_i32,
     &kernels::cpu::avx512::relu_i32,
     &kernels::cpu::avx512::relu_i32,
     &kernels::cpu::avx512::relu_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::relu_f32,
     &kernels::cpu::avx512::relu_f32,
     &kernels::cpu::avx512::relu_f32,
     &kernels::cpu::avx512::relu_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::relu_i32,
     &kernels::cpu::avx512::relu_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::relu_f32,
     &kernels::cpu::avx512::relu_f64}};
constinit PointwiseOp op{{"relu", "relu(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"input"}, {}};
}  // namespace

OpEntry& relu_entry = op.entry;

TensorBase relu(const TensorBase& input) {
  return unary(op, input);
}

void relu_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/relu.cpp
// Loops of the pointwise kernel 'relu'. Generated from ops/unary.yaml:536; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/relu.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::relu(a);
  });
}

}  // namespace

void relu_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void relu_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void relu_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void relu_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
