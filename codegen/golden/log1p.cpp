// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/log1p.h
// log1p: dispatch, and recording of the gradient. Generated from ops/unary.yaml:289; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase log1p(const TensorBase& input, CallSite at);
EAGRE_API void log1p_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/log1p.cpp
// log1p: recording. Generated from ops/unary.yaml:289; do not edit.
#include <eagre/autograd/ops/log1p.h>

#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/log1p.h>

namespace eagre::ops {
namespace {

class Log1pNode final : public autograd::Node {
 public:
  explicit Log1pNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "Log1pBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor input_;
};

void Log1pNode::apply(autograd::BackwardCall& call) {
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
  if (call.wants(0)) call.set(0, ops::div(std::move(g), ops::add(input, 1, 1, at), at));
}

}  // namespace

TensorBase log1p(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::log1p(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<Log1pNode>::adopt(new Log1pNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void log1p_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<Log1pNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("log1p_", input);
    TensorBase original;
    if (autograd::needs_grad(input)) original = ops::clone(input, at);
    node = IntrusivePtr<Log1pNode>::adopt(new Log1pNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(original);
  }
  dispatch::log1p_(input);
  autograd::note_write(input, "log1p_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/log1p.h
// log1p: dispatch to kernels, without recording. Generated from ops/unary.yaml:289; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase log1p(const TensorBase& input);
void log1p_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/log1p.cpp
// log1p: dispatch to kernels. Generated from ops/unary.yaml:289; do not edit.
#include <eagre/dispatch/ops/log1p.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void log1p_f32(char* const*, const int64_t*, int64_t, const void*);
void log1p_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void log1p_f32(char* const*, const int64_t*, int64_t, const void*);
void log1p_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void log1p_f32(char* const*, const int64_t*, int64_t, const void*);
void log1p_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::log1p_f32,
     &kernels::cpu::baseline::log1p_f32,
     &kernels::cpu::baseline::log1p_f32,
     &kernels::cpu::baseline::log1p_f64},
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
     &kernels::cpu::baseline::log1p_f32,
     &kernels::cpu::baseline::log1p_f64}};
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
     &kernels::cpu::avx2::log1p_f32,
     &kernels::cpu::avx2::log1p_f32,
     &kernels::cpu::avx2::log1p_f32,
     &kernels::cpu::avx2::log1p_f64},
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
     &kernels::cpu::avx2::log1p_f32,
     &kernels::cpu::avx2::log1p_f64}};
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
     &kernels::cpu::avx512::log1p_f32,
     &kernels::cpu::avx512::log1p_f32,
     &kernels::cpu::avx512::log1p_f32,
     &kernels::cpu::avx512::log1p_f64},
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
     &kernels::cpu::avx512::log1p_f32,
     &kernels::cpu::avx512::log1p_f64}};
constinit PointwiseOp op{{"log1p", "log1p(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, false, 0, {"input"}, {}};
}  // namespace

OpEntry& log1p_entry = op.entry;

TensorBase log1p(const TensorBase& input) {
  return unary(op, input);
}

void log1p_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/log1p.cpp
// Loops of the pointwise kernel 'log1p'. Generated from ops/unary.yaml:289; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/log1p.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::log1p(a);
  });
}

}  // namespace

void log1p_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void log1p_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
