// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/sqrt.h
// sqrt: dispatch, and recording of the gradient. Generated from ops/unary.yaml:61; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase sqrt(const TensorBase& input, CallSite at);
EAGRE_API void sqrt_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/sqrt.cpp
// sqrt: recording. Generated from ops/unary.yaml:61; do not edit.
#include <eagre/autograd/ops/sqrt.h>

#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/sqrt.h>

namespace eagre::ops {
namespace {

class SqrtNode final : public autograd::Node {
 public:
  explicit SqrtNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "SqrtBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor result_;
};

void SqrtNode::apply(autograd::BackwardCall& call) {
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
  if (call.wants(0)) call.set(0, ops::div(std::move(g), ops::mul(result, 2, at), at));
}

}  // namespace

TensorBase sqrt(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::sqrt(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SqrtNode>::adopt(new SqrtNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->result_.save_output(result);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void sqrt_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<SqrtNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("sqrt_", input);
    node = IntrusivePtr<SqrtNode>::adopt(new SqrtNode(at.intern()));
    autograd::connect(*node, 0, input);
  }
  dispatch::sqrt_(input);
  autograd::note_write(input, "sqrt_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
    if (node->has_edge(0)) node->result_.save_output(input);
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/sqrt.h
// sqrt: dispatch to kernels, without recording. Generated from ops/unary.yaml:61; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase sqrt(const TensorBase& input);
void sqrt_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/sqrt.cpp
// sqrt: dispatch to kernels. Generated from ops/unary.yaml:61; do not edit.
#include <eagre/dispatch/ops/sqrt.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void sqrt_f32(char* const*, const int64_t*, int64_t, const void*);
void sqrt_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void sqrt_f32(char* const*, const int64_t*, int64_t, const void*);
void sqrt_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void sqrt_f32(char* const*, const int64_t*, int64_t, const void*);
void sqrt_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::sqrt_f32,
     &kernels::cpu::baseline::sqrt_f32,
     &kernels::cpu::baseline::sqrt_f32,
     &kernels::cpu::baseline::sqrt_f64},
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
     &kernels::cpu::baseline::sqrt_f32,
     &kernels::cpu::baseline::sqrt_f64}};
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
     &kernels::cpu::avx2::sqrt_f32,
     &kernels::cpu::avx2::sqrt_f32,
     &kernels::cpu::avx2::sqrt_f32,
     &kernels::cpu::avx2::sqrt_f64},
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
     &kernels::cpu::avx2::sqrt_f32,
     &kernels::cpu::avx2::sqrt_f64}};
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
     &kernels::cpu::avx512::sqrt_f32,
     &kernels::cpu::avx512::sqrt_f32,
     &kernels::cpu::avx512::sqrt_f32,
     &kernels::cpu::avx512::sqrt_f64},
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
     &kernels::cpu::avx512::sqrt_f32,
     &kernels::cpu::avx512::sqrt_f64}};
constinit PointwiseOp op{{"sqrt", "sqrt(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, false, 0, {"input"}, {}};
}  // namespace

OpEntry& sqrt_entry = op.entry;

TensorBase sqrt(const TensorBase& input) {
  return unary(op, input);
}

void sqrt_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/sqrt.cpp
// Loops of the pointwise kernel 'sqrt'. Generated from ops/unary.yaml:61; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/sqrt.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::sqrt(a);
  });
}

}  // namespace

void sqrt_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void sqrt_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
