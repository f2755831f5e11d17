// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/sign.h
// sign: dispatch, and recording of the gradient. Generated from ops/unary.yaml:118; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase sign(const TensorBase& input, CallSite at);
EAGRE_API void sign_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/sign.cpp
// sign: recording. Generated from ops/unary.yaml:118; do not edit.
#include <eagre/autograd/ops/sign.h>

#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/sign.h>

namespace eagre::ops {
namespace {

class SignNode final : public autograd::Node {
 public:
  explicit SignNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "SignBackward0"; }
  void apply(autograd::BackwardCall& call) override;

};

void SignNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::scale(g, 0, at));
}

}  // namespace

TensorBase sign(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::sign(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SignNode>::adopt(new SignNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void sign_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<SignNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("sign_", input);
    node = IntrusivePtr<SignNode>::adopt(new SignNode(at.intern()));
    autograd::connect(*node, 0, input);
  }
  dispatch::sign_(input);
  autograd::note_write(input, "sign_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/sign.h
// sign: dispatch to kernels, without recording. Generated from ops/unary.yaml:118; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase sign(const TensorBase& input);
void sign_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/sign.cpp
// sign: dispatch to kernels. Generated from ops/unary.yaml:118; do not edit.
#include <eagre/dispatch/ops/sign.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void sign_bool(char* const*, const int64_t*, int64_t, const void*);
void sign_i32(char* const*, const int64_t*, int64_t, const void*);
void sign_i64(char* const*, const int64_t*, int64_t, const void*);
void sign_f32(char* const*, const int64_t*, int64_t, const void*);
void sign_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void sign_bool(char* const*, const int64_t*, int64_t, const void*);
void sign_i32(char* const*, const int64_t*, int64_t, const void*);
void sign_i64(char* const*, const int64_t*, int64_t, const void*);
void sign_f32(char* const*, const int64_t*, int64_t, const void*);
void sign_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void sign_bool(char* const*, const int64_t*, int64_t, const void*);
void sign_i32(char* const*, const int64_t*, int64_t, const void*);
void sign_i64(char* const*, const int64_t*, int64_t, const void*);
void sign_f32(char* const*, const int64_t*, int64_t, const void*);
void sign_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {&kernels::cpu::baseline::sign_bool,
     &kernels::cpu::baseline::sign_i32,
     &kernels::cpu::baseline::sign_i32,
     &kernels::cpu::baseline::sign_i32,
     &kernels::cpu::baseline::sign_i32,
     &kernels::cpu::baseline::sign_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::sign_f32,
     &kernels::cpu::baseline::sign_f32,
     &kernels::cpu::baseline::sign_f32,
     &kernels::cpu::baseline::sign_f64},
    {&kernels::cpu::baseline::sign_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::sign_i32,
     &kernels::cpu::baseline::sign_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::sign_f32,
     &kernels::cpu::baseline::sign_f64}};
constexpr TypedRow<Function> kAvx2{
    {&kernels::cpu::avx2::sign_bool,
     &kernels::cpu::avx2::sign_i32,
     &kernels::cpu::avx2::sign_i32,
     &kernels::cpu::avx2::sign_i32,
     &kernels::cpu::avx2::sign_i32,
     &kernels::cpu::avx2::sign_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::sign_f32,
     &kernels::cpu::avx2::sign_f32,
     &kernels::cpu::avx2::sign_f32,
     &kernels::cpu::avx2::sign_f64},
    {&kernels::cpu::avx2::sign_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::sign_i32,
     &kernels::cpu::avx2::sign_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::sign_f32,
     &kernels::cpu::avx2::sign_f64}};
constexpr TypedRow<Function> kAvx512{
    {&kernels::cpu::avx512::sign_bool,
     &kernels::cpu::avx512::sign_i32,
     &kernels::cpu::avx512::sign_i32,
     &kernels::cpu::avx512::sign_i32,
     &kernels::cpu::avx512::sign_i32,
     &kernels::cpu::avx512::sign_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::sign_f32,
     &kernels::cpu::avx512::sign_f32,
     &kernels::cpu::avx512::sign_f32,
     &kernels::cpu::avx512::sign_f64},
    {&kernels::cpu::avx512::sign_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::sign_i32,
     &kernels::cpu::avx512::sign_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::sign_f32,
     &kernels::cpu::avx512::sign_f64}};
constinit PointwiseOp op{{"sign", "sign(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"input"}, {}};
}  // namespace

OpEntry& sign_entry = op.entry;

TensorBase sign(const TensorBase& input) {
  return unary(op, input);
}

void sign_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/sign.cpp
// Loops of the pointwise kernel 'sign'. Generated from ops/unary.yaml:118; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/sign.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::sign(a);
  });
}

}  // namespace

void sign_bool(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<bool>(data, strides, n, attributes);
}
void sign_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void sign_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void sign_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void sign_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
