// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/tan.h
// tan: dispatch, and recording of the gradient. Generated from ops/unary.yaml:365; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase tan(const TensorBase& input, CallSite at);
EAGRE_API void tan_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/tan.cpp
// tan: recording. Generated from ops/unary.yaml:365; do not edit.
#include <eagre/autograd/ops/tan.h>

#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/square.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/tan.h>

namespace eagre::ops {
namespace {

class TanNode final : public autograd::Node {
 public:
  explicit TanNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "TanBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor result_;
};

void TanNode::apply(autograd::BackwardCall& call) {
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
  if (call.wants(0)) call.set(0, ops::mul(std::move(g), ops::add(ops::square(result, at), 1, 1, at), at));
}

}  // namespace

TensorBase tan(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::tan(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<TanNode>::adopt(new TanNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->result_.save_output(result);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void tan_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<TanNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("tan_", input);
    node = IntrusivePtr<TanNode>::adopt(new TanNode(at.intern()));
    autograd::connect(*node, 0, input);
  }
  dispatch::tan_(input);
  autograd::note_write(input, "tan_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
    if (node->has_edge(0)) node->result_.save_output(input);
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/tan.h
// tan: dispatch to kernels, without recording. Generated from ops/unary.yaml:365; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase tan(const TensorBase& input);
void tan_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/tan.cpp
// tan: dispatch to kernels. Generated from ops/unary.yaml:365; do not edit.
#include <eagre/dispatch/ops/tan.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void tan_f32(char* const*, const int64_t*, int64_t, const void*);
void tan_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void tan_f32(char* const*, const int64_t*, int64_t, const void*);
void tan_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void tan_f32(char* const*, const int64_t*, int64_t, const void*);
void tan_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::tan_f32,
     &kernels::cpu::baseline::tan_f32,
     &kernels::cpu::baseline::tan_f32,
     &kernels::cpu::baseline::tan_f64},
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
     &kernels::cpu::baseline::tan_f32,
     &kernels::cpu::baseline::tan_f64}};
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
     &kernels::cpu::avx2::tan_f32,
     &kernels::cpu::avx2::tan_f32,
     &kernels::cpu::avx2::tan_f32,
     &kernels::cpu::avx2::tan_f64},
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
     &kernels::cpu::avx2::tan_f32,
     &kernels::cpu::avx2::tan_f64}};
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
     &kernels::cpu::avx512::tan_f32,
     &kernels::cpu::avx512::tan_f32,
     &kernels::cpu::avx512::tan_f32,
     &kernels::cpu::avx512::tan_f64},
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
     &kernels::cpu::avx512::tan_f32,
     &kernels::cpu::avx512::tan_f64}};
constinit PointwiseOp op{{"tan", "tan(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, false, 0, {"input"}, {}};
}  // namespace

OpEntry& tan_entry = op.entry;

TensorBase tan(const TensorBase& input) {
  return unary(op, input);
}

void tan_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/tan.cpp
// Loops of the pointwise kernel 'tan'. Generated from ops/unary.yaml:365; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/tan.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::tan(a);
  });
}

}  // namespace

void tan_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void tan_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
