// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/abs.h
// abs: dispatch, and recording of the gradient. Generated from ops/unary.yaml:99; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase abs(const TensorBase& input, CallSite at);
EAGRE_API void abs_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/abs.cpp
// abs: recording. Generated from ops/unary.yaml:99; do not edit.
#include <eagre/autograd/ops/abs.h>

#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/sign.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/abs.h>

namespace eagre::ops {
namespace {

class AbsNode final : public autograd::Node {
 public:
  explicit AbsNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "AbsBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor input_;
};

void AbsNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    input_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase input;
  if (call.wants(0)) {
    input = input_.read(*this, call, "input");
  } else {
    input_.skip(call);
  }
  if (call.wants(0)) call.set(0, ops::mul(std::move(g), ops::sign(input, at), at));
}

}  // namespace

TensorBase abs(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::abs(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<AbsNode>::adopt(new AbsNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void abs_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<AbsNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("abs_", input);
    TensorBase original;
    if (autograd::needs_grad(input)) original = ops::clone(input, at);
    node = IntrusivePtr<AbsNode>::adopt(new AbsNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(original);
  }
  dispatch::abs_(input);
  autograd::note_write(input, "abs_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/abs.h
// abs: dispatch to kernels, without recording. Generated from ops/unary.yaml:99; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase abs(const TensorBase& input);
void abs_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/abs.cpp
// abs: dispatch to kernels. Generated from ops/unary.yaml:99; do not edit.
#include <eagre/dispatch/ops/abs.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void abs_i32(char* const*, const int64_t*, int64_t, const void*);
void abs_i64(char* const*, const int64_t*, int64_t, const void*);
void abs_f32(char* const*, const int64_t*, int64_t, const void*);
void abs_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void abs_i32(char* const*, const int64_t*, int64_t, const void*);
void abs_i64(char* const*, const int64_t*, int64_t, const void*);
void abs_f32(char* const*, const int64_t*, int64_t, const void*);
void abs_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void abs_i32(char* const*, const int64_t*, int64_t, const void*);
void abs_i64(char* const*, const int64_t*, int64_t, const void*);
void abs_f32(char* const*, const int64_t*, int64_t, const void*);
void abs_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     &kernels::cpu::baseline::abs_i32,
     &kernels::cpu::baseline::abs_i32,
     &kernels::cpu::baseline::abs_i32,
     &kernels::cpu::baseline::abs_i32,
     &kernels::cpu::baseline::abs_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::abs_f32,
     &kernels::cpu::baseline::abs_f32,
     &kernels::cpu::baseline::abs_f32,
     &kernels::cpu::baseline::abs_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::abs_i32,
     &kernels::cpu::baseline::abs_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::abs_f32,
     &kernels::cpu::baseline::abs_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     &kernels::cpu::avx2::abs_i32,
     &kernels::cpu::avx2::abs_i32,
     &kernels::cpu::avx2::abs_i32,
     &kernels::cpu::avx2::abs_i32,
     &kernels::cpu::avx2::abs_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::abs_f32,
     &kernels::cpu::avx2::abs_f32,
     &kernels::cpu::avx2::abs_f32,
     &kernels::cpu::avx2::abs_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::abs_i32,
     &kernels::cpu::avx2::abs_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::abs_f32,
     &kernels::cpu::avx2::abs_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     &kernels::cpu::avx512::abs_i32,
     &kernels::cpu::avx512::abs_i32,
     &kernels::cpu::avx512::abs_i32,
     &kernels::cpu::avx512::abs_i32,
     &kernels::cpu::avx512::abs_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::abs_f32,
     &kernels::cpu::avx512::abs_f32,
     &kernels::cpu::avx512::abs_f32,
     &kernels::cpu::avx512::abs_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::abs_i32,
     &kernels::cpu::avx512::abs_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::abs_f32,
     &kernels::cpu::avx512::abs_f64}};
constinit PointwiseOp op{{"abs", "abs(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"input"}, {}};
}  // namespace

OpEntry& abs_entry = op.entry;

TensorBase abs(const TensorBase& input) {
  return unary(op, input);
}

void abs_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/abs.cpp
// Loops of the pointwise kernel 'abs'. Generated from ops/unary.yaml:99; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/abs.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::abs(a);
  });
}

}  // namespace

void abs_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void abs_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void abs_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void abs_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
