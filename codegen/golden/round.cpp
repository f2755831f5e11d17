// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/round.h
// round: dispatch, and recording of the gradient. Generated from ops/unary.yaml:175; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase round(const TensorBase& input, CallSite at);
EAGRE_API void round_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/round.cpp
// round: recording. Generated from ops/unary.yaml:175; do not edit.
#include <eagre/autograd/ops/round.h>

#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/round.h>

namespace eagre::ops {
namespace {

class RoundNode final : public autograd::Node {
 public:
  explicit RoundNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "RoundBackward0"; }
  void apply(autograd::BackwardCall& call) override;

};

void RoundNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::scale(g, 0, at));
}

}  // namespace

TensorBase round(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::round(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<RoundNode>::adopt(new RoundNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void round_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<RoundNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("round_", input);
    node = IntrusivePtr<RoundNode>::adopt(new RoundNode(at.intern()));
    autograd::connect(*node, 0, input);
  }
  dispatch::round_(input);
  autograd::note_write(input, "round_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/round.h
// round: dispatch to kernels, without recording. Generated from ops/unary.yaml:175; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase round(const TensorBase& input);
void round_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/round.cpp
// round: dispatch to kernels. Generated from ops/unary.yaml:175; do not edit.
#include <eagre/dispatch/ops/round.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void round_i32(char* const*, const int64_t*, int64_t, const void*);
void round_i64(char* const*, const int64_t*, int64_t, const void*);
void round_f32(char* const*, const int64_t*, int64_t, const void*);
void round_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void round_i32(char* const*, const int64_t*, int64_t, const void*);
void round_i64(char* const*, const int64_t*, int64_t, const void*);
void round_f32(char* const*, const int64_t*, int64_t, const void*);
void round_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void round_i32(char* const*, const int64_t*, int64_t, const void*);
void round_i64(char* const*, const int64_t*, int64_t, const void*);
void round_f32(char* const*, const int64_t*, int64_t, const void*);
void round_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     &kernels::cpu::baseline::round_i32,
     &kernels::cpu::baseline::round_i32,
     &kernels::cpu::baseline::round_i32,
     &kernels::cpu::baseline::round_i32,
     &kernels::cpu::baseline::round_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::round_f32,
     &kernels::cpu::baseline::round_f32,
     &kernels::cpu::baseline::round_f32,
     &kernels::cpu::baseline::round_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::round_i32,
     &kernels::cpu::baseline::round_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::round_f32,
     &kernels::cpu::baseline::round_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     &kernels::cpu::avx2::round_i32,
     &kernels::cpu::avx2::round_i32,
     &kernels::cpu::avx2::round_i32,
     &kernels::cpu::avx2::round_i32,
     &kernels::cpu::avx2::round_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::round_f32,
     &kernels::cpu::avx2::round_f32,
     &kernels::cpu::avx2::round_f32,
     &kernels::cpu::avx2::round_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::round_i32,
     &kernels::cpu::avx2::round_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::round_f32,
     &kernels::cpu::avx2::round_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     &kernels::cpu::avx512::round_i32,
     &kernels::cpu::avx512::round_i32,
     &kernels::cpu::avx512::round_i32,
     &kernels::cpu::avx512::round_i32,
     &kernels::cpu::avx512::round_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::round_f32,
     &kernels::cpu::avx512::round_f32,
     &kernels::cpu::avx512::round_f32,
     &kernels::cpu::avx512::round_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::round_i32,
     &kernels::cpu::avx512::round_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::round_f32,
     &kernels::cpu::avx512::round_f64}};
constinit PointwiseOp op{{"round", "round(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"input"}, {}};
}  // namespace

OpEntry& round_entry = op.entry;

TensorBase round(const TensorBase& input) {
  return unary(op, input);
}

void round_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/round.cpp
// Loops of the pointwise kernel 'round'. Generated from ops/unary.yaml:175; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/round.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::round(a);
  });
}

}  // namespace

void round_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void round_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void round_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void round_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
