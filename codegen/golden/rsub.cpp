// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/rsub.h
// rsub: dispatch, and recording of the gradient. Generated from ops/pointwise.yaml:67; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase rsub(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at);

}  // namespace eagre::ops

// ======== autograd/rsub.cpp
// rsub: recording. Generated from ops/pointwise.yaml:67; do not edit.
#include <eagre/autograd/ops/rsub.h>

#include <eagre/autograd/ops/neg.h>
#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/rsub.h>

namespace eagre::ops {
namespace {

class RsubNode final : public autograd::Node {
 public:
  explicit RsubNode(uint32_t site) : Node(2, site) {}

  std::string_view name() const override { return "RsubBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  Scalar alpha_;
};

void RsubNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::neg(ops::scale(g, alpha_, at), at));
  if (call.wants(1)) call.set(1, std::move(g));
}

}  // namespace

TensorBase rsub(const TensorBase& input, const Operand& other, const Scalar& alpha, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::rsub(input, other, alpha);
  if (autograd::should_record(input, other) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<RsubNode>::adopt(new RsubNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    node->alpha_ = alpha;
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/rsub.h
// rsub: dispatch to kernels, without recording. Generated from ops/pointwise.yaml:67; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase rsub(const TensorBase& input, const Operand& other, const Scalar& alpha);

}  // namespace eagre::dispatch

// ======== dispatch/rsub.cpp
// rsub: dispatch to kernels. Generated from ops/pointwise.yaml:67; do not edit.
#include <eagre/dispatch/ops/rsub.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void rsub_i32(char* const*, const int64_t*, int64_t, const void*);
void rsub_i64(char* const*, const int64_t*, int64_t, const void*);
void rsub_f32(char* const*, const int64_t*, int64_t, const void*);
void rsub_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void rsub_i32(char* const*, const int64_t*, int64_t, const void*);
void rsub_i64(char* const*, const int64_t*, int64_t, const void*);
void rsub_f32(char* const*, const int64_t*, int64_t, const void*);
void rsub_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void rsub_i32(char* const*, const int64_t*, int64_t, const void*);
void rsub_i64(char* const*, const int64_t*, int64_t, const void*);
void rsub_f32(char* const*, const int64_t*, int64_t, const void*);
void rsub_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     &kernels::cpu::baseline::rsub_i32,
     &kernels::cpu::baseline::rsub_i32,
     &kernels::cpu::baseline::rsub_i32,
     &kernels::cpu::baseline::rsub_i32,
     &kernels::cpu::baseline::rsub_i64,
     &kernels::cpu::baseline::rsub_i32,
     &kernels::cpu::baseline::rsub_i64,
     &kernels::cpu::baseline::rsub_i64,
     &kernels::cpu::baseline::rsub_f32,
     &kernels::cpu::baseline::rsub_f32,
     &kernels::cpu::baseline::rsub_f32,
     &kernels::cpu::baseline::rsub_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::rsub_i32,
     &kernels::cpu::baseline::rsub_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::rsub_f32,
     &kernels::cpu::baseline::rsub_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     &kernels::cpu::avx2::rsub_i32,
     &kernels::cpu::avx2::rsub_i32,
     &kernels::cpu::avx2::rsub_i32,
     &kernels::cpu::avx2::rsub_i32,
     &kernels::cpu::avx2::rsub_i64,
     &kernels::cpu::avx2::rsub_i32,
     &kernels::cpu::avx2::rsub_i64,
     &kernels::cpu::avx2::rsub_i64,
     &kernels::cpu::avx2::rsub_f32,
     &kernels::cpu::avx2::rsub_f32,
     &kernels::cpu::avx2::rsub_f32,
     &kernels::cpu::avx2::rsub_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::rsub_i32,
     &kernels::cpu::avx2::rsub_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::rsub_f32,
     &kernels::cpu::avx2::rsub_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     &kernels::cpu::avx512::rsub_i32,
     &kernels::cpu::avx512::rsub_i32,
     &kernels::cpu::avx512::rsub_i32,
     &kernels::cpu::avx512::rsub_i32,
     &kernels::cpu::avx512::rsub_i64,
     &kernels::cpu::avx512::rsub_i32,
     &kernels::cpu::avx512::rsub_i64,
     &kernels::cpu::avx512::rsub_i64,
     &kernels::cpu::avx512::rsub_f32,
     &kernels::cpu::avx512::rsub_f32,
     &kernels::cpu::avx512::rsub_f32,
     &kernels::cpu::avx512::rsub_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::rsub_i32,
     &kernels::cpu::avx512::rsub_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::rsub_f32,
     &kernels::cpu::avx512::rsub_f64}};
constinit PointwiseOp op{{"rsub", "rsub(Tensor,Tensor|Scalar,Scalar)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 1, {"input", "other"}, {"alpha"}};
}  // namespace

OpEntry& rsub_entry = op.entry;

TensorBase rsub(const TensorBase& input, const Operand& other, const Scalar& alpha) {
  const Scalar attributes[] = {alpha};
  return binary(op, input, other, attributes);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/rsub.cpp
// Loops of the pointwise kernel 'rsub'. Generated from ops/pointwise.yaml:67; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/rsub.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  const T attribute_0 = attribute<T>(attributes, 0);
  binary_loop<T>(data, strides, n, [=](T a, T b) {
    return scalar::rsub(a, b, attribute_0);
  });
}

}  // namespace

void rsub_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void rsub_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void rsub_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void rsub_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
