// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/sub.h
// sub: dispatch, and recording of the gradient. Generated from ops/pointwise.yaml:46; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase sub(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at);
EAGRE_API void sub_(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at);
// May write over a temporary first argument.
EAGRE_API TensorBase sub(TensorBase&& input, const Operand& other, const Scalar& alpha, CallSite at);

}  // namespace eagre::ops

// ======== autograd/sub.cpp
// sub: recording. Generated from ops/pointwise.yaml:46; do not edit.
#include <eagre/autograd/ops/sub.h>

#include <eagre/autograd/ops/neg.h>
#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/sub.h>

namespace eagre::ops {
namespace {

class SubNode final : public autograd::Node {
 public:
  explicit SubNode(uint32_t site) : Node(2, site) {}

  std::string_view name() const override { return "SubBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  Scalar alpha_;
};

void SubNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) {
    if (call.wants(1)) {
      call.set(0, g);
    } else {
      call.set(0, std::move(g));
    }
  }
  if (call.wants(1)) call.set(1, ops::neg(ops::scale(g, alpha_, at), at));
}

}  // namespace

TensorBase sub(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::sub(input, other, alpha);
  if (autograd::should_record(input, other) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SubNode>::adopt(new SubNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    node->alpha_ = alpha;
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void sub_(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<SubNode> node;
  if (autograd::should_record(input, other)) {
    autograd::check_inplace("sub_", input);
    node = IntrusivePtr<SubNode>::adopt(new SubNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    node->alpha_ = alpha;
  }
  dispatch::sub_(input, other, alpha);
  autograd::note_write(input, "sub_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

TensorBase sub(TensorBase&& input, const Operand& other, const Scalar& alpha, CallSite at) {
  if (!GradMode::is_enabled()) {
    thread_state.site = at;
    if (dispatch::sub_reusing(input, other, alpha)) return std::move(input);
  }
  return sub(std::as_const(input), other, alpha, at);
}
}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/sub.h
// sub: dispatch to kernels, without recording. Generated from ops/pointwise.yaml:46; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase sub(const TensorBase& input, const Operand& other, const Scalar& alpha);
void sub_(const TensorBase& input, const Operand& other, const Scalar& alpha);
bool sub_reusing(const TensorBase& input, const Operand& other, const Scalar& alpha);

}  // namespace eagre::dispatch

// ======== dispatch/sub.cpp
// sub: dispatch to kernels. Generated from ops/pointwise.yaml:46; do not edit.
#include <eagre/dispatch/ops/sub.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void sub_i32(char* const*, const int64_t*, int64_t, const void*);
void sub_i64(char* const*, const int64_t*, int64_t, const void*);
void sub_f32(char* const*, const int64_t*, int64_t, const void*);
void sub_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void sub_i32(char* const*, const int64_t*, int64_t, const void*);
void sub_i64(char* const*, const int64_t*, int64_t, const void*);
void sub_f32(char* const*, const int64_t*, int64_t, const void*);
void sub_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void sub_i32(char* const*, const int64_t*, int64_t, const void*);
void sub_i64(char* const*, const int64_t*, int64_t, const void*);
void sub_f32(char* const*, const int64_t*, int64_t, const void*);
void sub_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     &kernels::cpu::baseline::sub_i32,
     &kernels::cpu::baseline::sub_i32,
     &kernels::cpu::baseline::sub_i32,
     &kernels::cpu::baseline::sub_i32,
     &kernels::cpu::baseline::sub_i64,
     &kernels::cpu::baseline::sub_i32,
     &kernels::cpu::baseline::sub_i64,
     &kernels::cpu::baseline::sub_i64,
     &kernels::cpu::baseline::sub_f32,
     &kernels::cpu::baseline::sub_f32,
     &kernels::cpu::baseline::sub_f32,
     &kernels::cpu::baseline::sub_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::sub_i32,
     &kernels::cpu::baseline::sub_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::sub_f32,
     &kernels::cpu::baseline::sub_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     &kernels::cpu::avx2::sub_i32,
     &kernels::cpu::avx2::sub_i32,
     &kernels::cpu::avx2::sub_i32,
     &kernels::cpu::avx2::sub_i32,
     &kernels::cpu::avx2::sub_i64,
     &kernels::cpu::avx2::sub_i32,
     &kernels::cpu::avx2::sub_i64,
     &kernels::cpu::avx2::sub_i64,
     &kernels::cpu::avx2::sub_f32,
     &kernels::cpu::avx2::sub_f32,
     &kernels::cpu::avx2::sub_f32,
     &kernels::cpu::avx2::sub_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::sub_i32,
     &kernels::cpu::avx2::sub_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::sub_f32,
     &kernels::cpu::avx2::sub_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     &kernels::cpu::avx512::sub_i32,
     &kernels::cpu::avx512::sub_i32,
     &kernels::cpu::avx512::sub_i32,
     &kernels::cpu::avx512::sub_i32,
     &kernels::cpu::avx512::sub_i64,
     &kernels::cpu::avx512::sub_i32,
     &kernels::cpu::avx512::sub_i64,
     &kernels::cpu::avx512::sub_i64,
     &kernels::cpu::avx512::sub_f32,
     &kernels::cpu::avx512::sub_f32,
     &kernels::cpu::avx512::sub_f32,
     &kernels::cpu::avx512::sub_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::sub_i32,
     &kernels::cpu::avx512::sub_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::sub_f32,
     &kernels::cpu::avx512::sub_f64}};
constinit PointwiseOp op{{"sub", "sub(Tensor,Tensor|Scalar,Scalar)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 1, {"input", "other"}, {"alpha"}};
}  // namespace

OpEntry& sub_entry = op.entry;

TensorBase sub(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  const Scalar attributes[] = {alpha};
  return binary(op, input, other, attributes);
}

void sub_(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  const Scalar attributes[] = {alpha};
  binary_inplace(op, input, other, attributes);
}

bool sub_reusing(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  const Scalar attributes[] = {alpha};
  return binary_reusing(op, input, other, attributes);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/sub.cpp
// Loops of the pointwise kernel 'sub'. Generated from ops/pointwise.yaml:46; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/sub.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  const T attribute_0 = attribute<T>(attributes, 0);
  binary_loop<T>(data, strides, n, [=](T a, T b) {
    return scalar::sub(a, b, attribute_0);
  });
}

}  // namespace

void sub_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void sub_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void sub_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void sub_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
