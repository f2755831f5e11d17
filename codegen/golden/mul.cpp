// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/mul.h
// mul: dispatch, and recording of the gradient. Generated from ops/pointwise.yaml:25; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase mul(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void mul_(const TensorBase& input, const Operand& other, CallSite at);
// May write over a temporary first argument.
EAGRE_API TensorBase mul(TensorBase&& input, const Operand& other, CallSite at);

}  // namespace eagre::ops

// ======== autograd/mul.cpp
// mul: recording. Generated from ops/pointwise.yaml:25; do not edit.
#include <eagre/autograd/ops/mul.h>

#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/mul.h>

namespace eagre::ops {
namespace {

class MulNode final : public autograd::Node {
 public:
  explicit MulNode(uint32_t site) : Node(2, site) {}

  std::string_view name() const override { return "MulBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedOperand other_;
  autograd::SavedTensor input_;
};

void MulNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    other_.skip(call);
    input_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase other_tensor;
  Operand other = 0;
  if (call.wants(0)) {
    other = other_.read(*this, call, "other", other_tensor);
  } else {
    other_.skip(call);
  }
  TensorBase input;
  if (call.wants(1)) {
    input = input_.read(*this, call, "input");
  } else {
    input_.skip(call);
  }
  if (call.wants(0)) {
    if (call.wants(1)) {
      call.set(0, ops::mul(g, other, at));
    } else {
      call.set(0, ops::mul(std::move(g), other, at));
    }
  }
  if (call.wants(1)) call.set(1, ops::mul(std::move(g), input, at));
}

}  // namespace

TensorBase mul(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::mul(input, other);
  if (autograd::should_record(input, other) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<MulNode>::adopt(new MulNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(other);
    if (node->has_edge(1)) node->input_.save_input(input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void mul_(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<MulNode> node;
  if (autograd::should_record(input, other)) {
    autograd::check_inplace("mul_", input);
    TensorBase original;
    if (autograd::needs_grad(other) || autograd::is_same(other, input)) original = ops::clone(input, at);
    node = IntrusivePtr<MulNode>::adopt(new MulNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0)) node->other_.save_input(autograd::is_same(other, input) ? Operand(original) : other);
    if (node->has_edge(1)) node->input_.save_input(original);
  }
  dispatch::mul_(input, other);
  autograd::note_write(input, "mul_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

TensorBase mul(TensorBase&& input, const Operand& other, CallSite at) {
  if (!GradMode::is_enabled()) {
    thread_state.site = at;
    if (dispatch::mul_reusing(input, other)) return std::move(input);
  }
  return mul(std::as_const(input), other, at);
}
}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/mul.h
// mul: dispatch to kernels, without recording. Generated from ops/pointwise.yaml:25; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase mul(const TensorBase& input, const Operand& other);
void mul_(const TensorBase& input, const Operand& other);
bool mul_reusing(const TensorBase& input, const Operand& other);

}  // namespace eagre::dispatch

// ======== dispatch/mul.cpp
// mul: dispatch to kernels. Generated from ops/pointwise.yaml:25; do not edit.
#include <eagre/dispatch/ops/mul.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void mul_bool(char* const*, const int64_t*, int64_t, const void*);
void mul_i32(char* const*, const int64_t*, int64_t, const void*);
void mul_i64(char* const*, const int64_t*, int64_t, const void*);
void mul_f32(char* const*, const int64_t*, int64_t, const void*);
void mul_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void mul_bool(char* const*, const int64_t*, int64_t, const void*);
void mul_i32(char* const*, const int64_t*, int64_t, const void*);
void mul_i64(char* const*, const int64_t*, int64_t, const void*);
void mul_f32(char* const*, const int64_t*, int64_t, const void*);
void mul_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void mul_bool(char* const*, const int64_t*, int64_t, const void*);
void mul_i32(char* const*, const int64_t*, int64_t, const void*);
void mul_i64(char* const*, const int64_t*, int64_t, const void*);
void mul_f32(char* const*, const int64_t*, int64_t, const void*);
void mul_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {&kernels::cpu::baseline::mul_bool,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i64,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i64,
     &kernels::cpu::baseline::mul_i64,
     &kernels::cpu::baseline::mul_f32,
     &kernels::cpu::baseline::mul_f32,
     &kernels::cpu::baseline::mul_f32,
     &kernels::cpu::baseline::mul_f64},
    {&kernels::cpu::baseline::mul_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::mul_i32,
     &kernels::cpu::baseline::mul_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::mul_f32,
     &kernels::cpu::baseline::mul_f64}};
constexpr TypedRow<Function> kAvx2{
    {&kernels::cpu::avx2::mul_bool,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i64,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i64,
     &kernels::cpu::avx2::mul_i64,
     &kernels::cpu::avx2::mul_f32,
     &kernels::cpu::avx2::mul_f32,
     &kernels::cpu::avx2::mul_f32,
     &kernels::cpu::avx2::mul_f64},
    {&kernels::cpu::avx2::mul_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::mul_i32,
     &kernels::cpu::avx2::mul_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::mul_f32,
     &kernels::cpu::avx2::mul_f64}};
constexpr TypedRow<Function> kAvx512{
    {&kernels::cpu::avx512::mul_bool,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i64,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i64,
     &kernels::cpu::avx512::mul_i64,
     &kernels::cpu::avx512::mul_f32,
     &kernels::cpu::avx512::mul_f32,
     &kernels::cpu::avx512::mul_f32,
     &kernels::cpu::avx512::mul_f64},
    {&kernels::cpu::avx512::mul_bool,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::mul_i32,
     &kernels::cpu::avx512::mul_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::mul_f32,
     &kernels::cpu::avx512::mul_f64}};
constinit PointwiseOp op{{"mul", "mul(Tensor,Tensor|Scalar)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"input", "other"}, {}};
}  // namespace

OpEntry& mul_entry = op.entry;

TensorBase mul(const TensorBase& input, const Operand& other) {
  return binary(op, input, other);
}

void mul_(const TensorBase& input, const Operand& other) {
  binary_inplace(op, input, other);
}

bool mul_reusing(const TensorBase& input, const Operand& other) {
  return binary_reusing(op, input, other);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/mul.cpp
// Loops of the pointwise kernel 'mul'. Generated from ops/pointwise.yaml:25; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/mul.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  binary_loop<T>(data, strides, n, [](T a, T b) {
    return scalar::mul(a, b);
  });
}

}  // namespace

void mul_bool(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<bool>(data, strides, n, attributes);
}
void mul_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void mul_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void mul_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void mul_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
