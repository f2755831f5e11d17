// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/div.h
// div: dispatch, and recording of the gradient. Generated from ops/pointwise.yaml:87; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase div(const TensorBase& input, const Operand& other, CallSite at);
EAGRE_API void div_(const TensorBase& input, const Operand& other, CallSite at);
// May write over a temporary first argument.
EAGRE_API TensorBase div(TensorBase&& input, const Operand& other, CallSite at);

}  // namespace eagre::ops

// ======== autograd/div.cpp
// div: recording. Generated from ops/pointwise.yaml:87; do not edit.
#include <eagre/autograd/ops/div.h>

#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/neg.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/div.h>

namespace eagre::ops {
namespace {

class DivNode final : public autograd::Node {
 public:
  explicit DivNode(uint32_t site) : Node(2, site) {}

  std::string_view name() const override { return "DivBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedOperand other_;
  autograd::SavedTensor result_;
};

void DivNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    other_.skip(call);
    result_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase other_tensor;
  Operand other = 0;
  if (call.wants(0) || call.wants(1)) {
    other = other_.read(*this, call, "other", other_tensor);
  } else {
    other_.skip(call);
  }
  TensorBase result;
  if (call.wants(1)) {
    result = result_.read(*this, call, "result");
  } else {
    result_.skip(call);
  }
  if (call.wants(0)) {
    if (call.wants(1)) {
      call.set(0, ops::div(g, other, at));
    } else {
      call.set(0, ops::div(std::move(g), other, at));
    }
  }
  if (call.wants(1)) call.set(1, ops::neg(ops::div(ops::mul(g, result, at), other, at), at));
}

}  // namespace

TensorBase div(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::div(input, other);
  if (autograd::should_record(input, other) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<DivNode>::adopt(new DivNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0) || node->has_edge(1)) node->other_.save_input(other);
    if (node->has_edge(1)) node->result_.save_output(result);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void div_(const TensorBase& input, const Operand& other, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<DivNode> node;
  if (autograd::should_record(input, other)) {
    autograd::check_inplace("div_", input);
    TensorBase original;
    if (autograd::is_same(other, input)) original = ops::clone(input, at);
    node = IntrusivePtr<DivNode>::adopt(new DivNode(at.intern()));
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, other);
    if (node->has_edge(0) || node->has_edge(1)) node->other_.save_input(autograd::is_same(other, input) ? Operand(original) : other);
  }
  dispatch::div_(input, other);
  autograd::note_write(input, "div_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
    if (node->has_edge(1)) node->result_.save_output(input);
  }
  thread_state.site = CallSite::none();
}

TensorBase div(TensorBase&& input, const Operand& other, CallSite at) {
  if (!GradMode::is_enabled()) {
    thread_state.site = at;
    if (dispatch::div_reusing(input, other)) return std::move(input);
  }
  return div(std::as_const(input), other, at);
}
}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/div.h
// div: dispatch to kernels, without recording. Generated from ops/pointwise.yaml:87; do not edit.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase div(const TensorBase& input, const Operand& other);
void div_(const TensorBase& input, const Operand& other);
bool div_reusing(const TensorBase& input, const Operand& other);

}  // namespace eagre::dispatch

// ======== dispatch/div.cpp
// div: dispatch to kernels. Generated from ops/pointwise.yaml:87; do not edit.
#include <eagre/dispatch/ops/div.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void div_f32(char* const*, const int64_t*, int64_t, const void*);
void div_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void div_f32(char* const*, const int64_t*, int64_t, const void*);
void div_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void div_f32(char* const*, const int64_t*, int64_t, const void*);
void div_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::div_f32,
     &kernels::cpu::baseline::div_f32,
     &kernels::cpu::baseline::div_f32,
     &kernels::cpu::baseline::div_f64},
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
     &kernels::cpu::baseline::div_f32,
     &kernels::cpu::baseline::div_f64}};
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
     &kernels::cpu::avx2::div_f32,
     &kernels::cpu::avx2::div_f32,
     &kernels::cpu::avx2::div_f32,
     &kernels::cpu::avx2::div_f64},
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
     &kernels::cpu::avx2::div_f32,
     &kernels::cpu::avx2::div_f64}};
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
     &kernels::cpu::avx512::div_f32,
     &kernels::cpu::avx512::div_f32,
     &kernels::cpu::avx512::div_f32,
     &kernels::cpu::avx512::div_f64},
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
     &kernels::cpu::avx512::div_f32,
     &kernels::cpu::avx512::div_f64}};
constinit PointwiseOp op{{"div", "div(Tensor,Tensor|Scalar)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, false, 0, {"input", "other"}, {}};
}  // namespace

OpEntry& div_entry = op.entry;

TensorBase div(const TensorBase& input, const Operand& other) {
  return binary(op, input, other);
}

void div_(const TensorBase& input, const Operand& other) {
  binary_inplace(op, input, other);
}

bool div_reusing(const TensorBase& input, const Operand& other) {
  return binary_reusing(op, input, other);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/div.cpp
// Loops of the pointwise kernel 'div'. Generated from ops/pointwise.yaml:87; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/div.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  binary_loop<T>(data, strides, n, [](T a, T b) {
    return scalar::div(a, b);
  });
}

}  // namespace

void div_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void div_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
