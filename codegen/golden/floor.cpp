// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/floor.h
// floor: dispatch, and recording of the gradient. Generated from ops/unary.yaml:156; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase floor(const TensorBase& input, CallSite at);
EAGRE_API void floor_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/floor.cpp
// floor: recording. Generated from ops/unary.yaml:156; do not edit.
#include <eagre/autograd/ops/floor.h>

#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/floor.h>

namespace eagre::ops {
namespace {

class FloorNode final : public autograd::Node {
 public:
  explicit FloorNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "FloorBackward0"; }
  void apply(autograd::BackwardCall& call) override;

};

void FloorNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::scale(g, 0, at));
}

}  // namespace

TensorBase floor(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::floor(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<FloorNode>::adopt(new FloorNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void floor_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<FloorNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("floor_", input);
    node = IntrusivePtr<FloorNode>::adopt(new FloorNode(at.intern()));
    autograd::connect(*node, 0, input);
  }
  dispatch::floor_(input);
  autograd::note_write(input, "floor_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/floor.h
// floor: dispatch to kernels, without recording. Generated from ops/unary.yaml:156; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase floor(const TensorBase& input);
void floor_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/floor.cpp
// floor: dispatch to kernels. Generated from ops/unary.yaml:156; do not edit.
#include <eagre/dispatch/ops/floor.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void floor_i32(char* const*, const int64_t*, int64_t, const void*);
void floor_i64(char* const*, const int64_t*, int64_t, const void*);
void floor_f32(char* const*, const int64_t*, int64_t, const void*);
void floor_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void floor_i32(char* const*, const int64_t*, int64_t, const void*);
void floor_i64(char* const*, const int64_t*, int64_t, const void*);
void floor_f32(char* const*, const int64_t*, int64_t, const void*);
void floor_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void floor_i32(char* const*, const int64_t*, int64_t, const void*);
void floor_i64(char* const*, const int64_t*, int64_t, const void*);
void floor_f32(char* const*, const int64_t*, int64_t, const void*);
void floor_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     &kernels::cpu::baseline::floor_i32,
     &kernels::cpu::baseline::floor_i32,
     &kernels::cpu::baseline::floor_i32,
     &kernels::cpu::baseline::floor_i32,
     &kernels::cpu::baseline::floor_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::floor_f32,
     &kernels::cpu::baseline::floor_f32,
     &kernels::cpu::baseline::floor_f32,
     &kernels::cpu::baseline::floor_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::floor_i32,
     &kernels::cpu::baseline::floor_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::floor_f32,
     &kernels::cpu::baseline::floor_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     &kernels::cpu::avx2::floor_i32,
     &kernels::cpu::avx2::floor_i32,
     &kernels::cpu::avx2::floor_i32,
     &kernels::cpu::avx2::floor_i32,
     &kernels::cpu::avx2::floor_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::floor_f32,
     &kernels::cpu::avx2::floor_f32,
     &kernels::cpu::avx2::floor_f32,
     &kernels::cpu::avx2::floor_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::floor_i32,
     &kernels::cpu::avx2::floor_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::floor_f32,
     &kernels::cpu::avx2::floor_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     &kernels::cpu::avx512::floor_i32,
     &kernels::cpu::avx512::floor_i32,
     &kernels::cpu::avx512::floor_i32,
     &kernels::cpu::avx512::floor_i32,
     &kernels::cpu::avx512::floor_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::floor_f32,
     &kernels::cpu::avx512::floor_f32,
     &kernels::cpu::avx512::floor_f32,
     &kernels::cpu::avx512::floor_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::floor_i32,
     &kernels::cpu::avx512::floor_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::floor_f32,
     &kernels::cpu::avx512::floor_f64}};
constinit PointwiseOp op{{"floor", "floor(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"input"}, {}};
}  // namespace

OpEntry& floor_entry = op.entry;

TensorBase floor(const TensorBase& input) {
  return unary(op, input);
}

void floor_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/floor.cpp
// Loops of the pointwise kernel 'floor'. Generated from ops/unary.yaml:156; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/floor.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::floor(a);
  });
}

}  // namespace

void floor_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void floor_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void floor_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void floor_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
