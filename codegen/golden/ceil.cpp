// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/ceil.h
// ceil: dispatch, and recording of the gradient. Generated from ops/unary.yaml:137; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase ceil(const TensorBase& input, CallSite at);
EAGRE_API void ceil_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/ceil.cpp
// ceil: recording. Generated from ops/unary.yaml:137; do not edit.
#include <eagre/autograd/ops/ceil.h>

#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/ceil.h>

namespace eagre::ops {
namespace {

class CeilNode final : public autograd::Node {
 public:
  explicit CeilNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "CeilBackward0"; }
  void apply(autograd::BackwardCall& call) override;

};

void CeilNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::scale(g, 0, at));
}

}  // namespace

TensorBase ceil(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::ceil(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<CeilNode>::adopt(new CeilNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void ceil_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<CeilNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("ceil_", input);
    node = IntrusivePtr<CeilNode>::adopt(new CeilNode(at.intern()));
    autograd::connect(*node, 0, input);
  }
  dispatch::ceil_(input);
  autograd::note_write(input, "ceil_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/ceil.h
// ceil: dispatch to kernels, without recording. Generated from ops/unary.yaml:137; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase ceil(const TensorBase& input);
void ceil_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/ceil.cpp
// ceil: dispatch to kernels. Generated from ops/unary.yaml:137; do not edit.
#include <eagre/dispatch/ops/ceil.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void ceil_i32(char* const*, const int64_t*, int64_t, const void*);
void ceil_i64(char* const*, const int64_t*, int64_t, const void*);
void ceil_f32(char* const*, const int64_t*, int64_t, const void*);
void ceil_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void ceil_i32(char* const*, const int64_t*, int64_t, const void*);
void ceil_i64(char* const*, const int64_t*, int64_t, const void*);
void ceil_f32(char* const*, const int64_t*, int64_t, const void*);
void ceil_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void ceil_i32(char* const*, const int64_t*, int64_t, const void*);
void ceil_i64(char* const*, const int64_t*, int64_t, const void*);
void ceil_f32(char* const*, const int64_t*, int64_t, const void*);
void ceil_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     &kernels::cpu::baseline::ceil_i32,
     &kernels::cpu::baseline::ceil_i32,
     &kernels::cpu::baseline::ceil_i32,
     &kernels::cpu::baseline::ceil_i32,
     &kernels::cpu::baseline::ceil_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::ceil_f32,
     &kernels::cpu::baseline::ceil_f32,
     &kernels::cpu::baseline::ceil_f32,
     &kernels::cpu::baseline::ceil_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::ceil_i32,
     &kernels::cpu::baseline::ceil_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::ceil_f32,
     &kernels::cpu::baseline::ceil_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     &kernels::cpu::avx2::ceil_i32,
     &kernels::cpu::avx2::ceil_i32,
     &kernels::cpu::avx2::ceil_i32,
     &kernels::cpu::avx2::ceil_i32,
     &kernels::cpu::avx2::ceil_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::ceil_f32,
     &kernels::cpu::avx2::ceil_f32,
     &kernels::cpu::avx2::ceil_f32,
     &kernels::cpu::avx2::ceil_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::ceil_i32,
     &kernels::cpu::avx2::ceil_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::ceil_f32,
     &kernels::cpu::avx2::ceil_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     &kernels::cpu::avx512::ceil_i32,
     &kernels::cpu::avx512::ceil_i32,
     &kernels::cpu::avx512::ceil_i32,
     &kernels::cpu::avx512::ceil_i32,
     &kernels::cpu::avx512::ceil_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::ceil_f32,
     &kernels::cpu::avx512::ceil_f32,
     &kernels::cpu::avx512::ceil_f32,
     &kernels::cpu::avx512::ceil_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::ceil_i32,
     &kernels::cpu::avx512::ceil_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::ceil_f32,
     &kernels::cpu::avx512::ceil_f64}};
constinit PointwiseOp op{{"ceil", "ceil(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"input"}, {}};
}  // namespace

OpEntry& ceil_entry = op.entry;

TensorBase ceil(const TensorBase& input) {
  return unary(op, input);
}

void ceil_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/ceil.cpp
// Loops of the pointwise kernel 'ceil'. Generated from ops/unary.yaml:137; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/ceil.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::ceil(a);
  });
}

}  // namespace

void ceil_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void ceil_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void ceil_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void ceil_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
